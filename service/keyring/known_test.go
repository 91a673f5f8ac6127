package keyring_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service/keyring"
	"mneme/store"
)

// asked is a store with one key that counts how often it is asked.
type asked struct {
	store.Keys

	key        access.Key
	keys, anys atomic.Int64
}

func (a *asked) Key(_ context.Context, prefix string) (*access.Key, error) {
	a.keys.Add(1)
	if prefix != a.key.Prefix {
		return nil, nil
	}
	key := a.key
	return &key, nil
}

func (a *asked) HasKeys(context.Context) (bool, error) {
	a.anys.Add(1)
	return a.key.Prefix != "", nil
}

func keyOf(prefix string) (secret string, key access.Key) {
	secret = prefix + "_" + strings.Repeat("a", 52)
	return secret, access.Key{Prefix: prefix, Hash: access.HashOf(secret), Tenant: "acme", Role: access.Reader}
}

// A good key costs one lookup a second, and a revocation by another process holds within a second.
func TestAKeyIsLookedUpOnceASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		secret, key := keyOf("mneme_k3x7q2aa")
		keys := &asked{key: key}
		ring := keyring.New(keys, slog.New(slog.DiscardHandler))
		for range 500 {
			time.Sleep(time.Millisecond)
			caller, err := ring.Find(t.Context(), secret)
			require.NoError(t, err)
			assert.Equal(t, "acme", caller.Tenant)
			_, err = ring.Any(t.Context())
			require.NoError(t, err)
		}
		assert.EqualValues(t, 1, keys.keys.Load())
		assert.EqualValues(t, 1, keys.anys.Load())
		keys.key.RevokedAt = new(time.Now())
		time.Sleep(time.Second)
		_, err := ring.Find(t.Context(), secret)
		requireCode(t, err, memory.CodeUnauthenticated, "")
		assert.EqualValues(t, 2, keys.keys.Load())
	})
}

// What is not a good key is asked for each time, and takes nothing from those that are: a new key works at once.
func TestWrongKeysAreNotKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		secret, key := keyOf("mneme_k3x7q2aa")
		keys := &asked{}
		ring := keyring.New(keys, slog.New(slog.DiscardHandler))
		_, err := ring.Find(t.Context(), secret)
		requireCode(t, err, memory.CodeUnauthenticated, "")
		there, err := ring.Any(t.Context())
		require.NoError(t, err)
		assert.False(t, there)
		keys.key = key
		there, err = ring.Any(t.Context())
		require.NoError(t, err)
		assert.True(t, there)
		_, err = ring.Find(t.Context(), secret)
		require.NoError(t, err)
		before := keys.keys.Load()
		const letters = "abcdefghijklmnopqrstuvwxyz"
		for i := range 10_000 {
			wrong, _ := keyOf(fmt.Sprintf("mneme_%c%c%caaaaa", letters[i%26], letters[i/26%26], letters[i/676%26]))
			_, err = ring.Find(t.Context(), wrong)
			requireCode(t, err, memory.CodeUnauthenticated, "")
		}
		_, err = ring.Find(t.Context(), secret[:len(secret)-1]+"b")
		requireCode(t, err, memory.CodeUnauthenticated, "")
		assert.EqualValues(t, before+10_000, keys.keys.Load())
		_, err = ring.Find(t.Context(), secret)
		require.NoError(t, err)
		assert.EqualValues(t, before+10_000, keys.keys.Load(), "the good one is still known")
	})
}
