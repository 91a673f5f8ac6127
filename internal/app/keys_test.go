package app

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory/access"
	"mneme/service/keyring"
)

// A key that another process makes works at once in all servers on the store; one that it revokes ends within a second.
func TestKeysWorkInAllProcesses(t *testing.T) {
	one := run(t, nil)
	two := run(t, func(c *Config) { c.Data = one.config.Data })
	beside, err := Open(t.Context(), one.config, one.log)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, beside.Close(context.Background())) })
	ask := func(key string) (statuses [2]int) {
		for i, a := range []*App{one, two} {
			header := http.Header{}
			if key != "" {
				header.Set("Authorization", "Bearer "+key)
			}
			statuses[i], _ = call{method: "POST", path: "/graphql", body: hello, header: header}.do(t, a)
		}
		return statuses
	}
	require.Equal(t, [2]int{200, 200}, ask(""), "without any key this machine is served")

	made, err := beside.Keys.Create(t.Context(), keyring.CreateInput{Tenant: "acme", Role: access.Reader})
	require.NoError(t, err)
	assert.Equal(t, [2]int{401, 401}, ask(""))
	assert.Equal(t, [2]int{200, 200}, ask(made.Secret))
	second, err := two.Keys.Create(t.Context(), keyring.CreateInput{Tenant: "acme", Role: access.Reader})
	require.NoError(t, err)
	assert.Equal(t, [2]int{200, 200}, ask(second.Secret))

	_, err = beside.Keys.Revoke(t.Context(), made.Prefix, nil)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return ask(made.Secret) == [2]int{401, 401} }, time.Minute, 100*time.Millisecond)
	assert.Equal(t, [2]int{401, 401}, ask(""), "with its only key revoked a server is not open again")
	assert.Equal(t, [2]int{200, 200}, ask(second.Secret))
}

// TestWithoutItsKeysAServerIsNotReady: it lets nobody in then, and whoever sends it requests is to know. With a key of its own it lets in
// who has that.
func TestWithoutItsKeysAServerIsNotReady(t *testing.T) {
	for own, want := range map[string]int{"": http.StatusServiceUnavailable, "s3cret": http.StatusOK} {
		a := run(t, func(c *Config) { c.APIKey = own })
		made, err := a.Keys.Create(t.Context(), keyring.CreateInput{Tenant: "acme", Role: access.Reader})
		require.NoError(t, err)
		damageKeys(t, a.config.Data)
		ask := func(key string) int {
			status, _ := call{method: "POST", path: "/graphql", body: hello, header: http.Header{"X-Api-Key": {key}}}.do(t, a)
			return status
		}
		require.Eventually(t, func() bool { return ask(made.Secret) == http.StatusInternalServerError }, time.Minute, 100*time.Millisecond)
		if own != "" {
			assert.Equal(t, http.StatusOK, ask(own))
		}
		require.Eventually(t, func() bool {
			status, _ := call{method: "GET", path: "/readyz"}.do(t, a)
			return status == want
		}, time.Minute, 100*time.Millisecond)
	}
}

// damageKeys makes the file of keys unreadable, in its place, as a server has it open.
func damageKeys(t *testing.T, data string) {
	t.Helper()
	for _, name := range []string{"_keys.db", "_keys.db-wal", "_keys.db-shm"} {
		path := filepath.Join(data, name)
		kept, err := os.ReadFile(path)
		require.NoError(t, err)
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		require.NoError(t, err)
		_, err = file.WriteAt(bytes.Repeat([]byte("no database "), 1+len(kept)/12), 0)
		require.NoError(t, errors.Join(err, file.Close()))
	}
}

// TestKeysOpenOneTenantEach: what one tenant records, another does not see.
func TestKeysOpenOneTenantEach(t *testing.T) {
	a := run(t, func(c *Config) { c.APIKey = "s3cret" })
	key := func(tenant string) string {
		made, err := a.Keys.Create(t.Context(), keyring.CreateInput{Tenant: tenant, Role: access.Writer})
		require.NoError(t, err)
		return made.Secret
	}
	ask := func(key, query string) string {
		status, body := call{method: "POST", path: "/graphql", body: query, header: http.Header{"X-Api-Key": {key}}}.do(t, a)
		require.Equal(t, 200, status, body)
		return body
	}
	acme, other := key("acme"), key("other")
	record := `{"query": "mutation { recordEpisode(input: {id: \"e1\", agentId: \"a\", title: \"t\", observation: \"o\", taskType: \"x\", startedAt: \"2026-03-01T12:00:00Z\", outcome: SUCCESS}) { episode { id } } }"}`
	assert.Contains(t, ask(acme, record), `"episode:e1"`)
	for who, want := range map[string]string{acme: `"totalCount":1`, other: `"totalCount":0`, "s3cret": `"totalCount":0`} {
		assert.Contains(t, ask(who, hello), want)
	}
}
