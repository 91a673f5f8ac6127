//go:build unix

package testneo4j

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOtherUsersMayLock: who has the lock does not keep others from waiting for it, whatever umask made its file.
func TestOtherUsersMayLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "turn.lock")
	before := syscall.Umask(0o077)
	first, err := openLock(path)
	syscall.Umask(before)
	require.NoError(t, err)
	defer func() { assert.NoError(t, syscall.Close(first)) }()
	found, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o444), found.Mode())

	second, err := openLock(path)
	require.NoError(t, err)
	defer func() { assert.NoError(t, syscall.Close(second)) }()
	require.NoError(t, syscall.Flock(first, syscall.LOCK_EX))
	require.ErrorIs(t, syscall.Flock(second, syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
	require.NoError(t, syscall.Flock(first, syscall.LOCK_UN))
	require.NoError(t, syscall.Flock(second, syscall.LOCK_EX|syscall.LOCK_NB))
}
