package app

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAStartWaitsForNobodyToWrite: where it did, these would not end.
func TestAStartWaitsForNobodyToWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	_, err := Config{TrustedDocuments: path}.trustedDocuments()
	require.ErrorContains(t, err, "it is a pipe that nobody writes to")
	var config Config
	require.ErrorContains(t, setCanvasRules(&config, path), "it is a pipe that nobody writes to")
}
