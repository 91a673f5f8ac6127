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

// TestWithoutItsKeysAServerIsNotReady: it lets nobody in then, and whoever sends it requests is to know. With a key of
// its own it lets in who has that.
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
	path := filepath.Join(data, "_keys.db")
	kept, err := os.ReadFile(path)
	require.NoError(t, err)
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteAt(bytes.Repeat([]byte("no database "), 1+len(kept)/12), 0)
	require.NoError(t, errors.Join(err, file.Close()))
}

// TestKeysThatAreGone: a directory that had keys is never open to all; a file changed under a server is noticed.
func TestKeysThatAreGone(t *testing.T) {
	for what, lose := range map[string]func(path string) error{
		"removed": os.Remove, "emptied": func(path string) error { return os.Truncate(path, 0) },
		"moved": func(path string) error { return os.Rename(path, path+".old") },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			a := run(t, nil)
			made, err := a.Keys.Create(t.Context(), keyring.CreateInput{Tenant: "acme", Role: access.Reader})
			require.NoError(t, err)
			require.NoError(t, lose(filepath.Join(a.config.Data, "_keys.db")))
			ask := func(key string) (int, string) {
				return call{method: "POST", path: "/graphql", body: hello, header: http.Header{"X-Api-Key": {key}}}.do(t, a)
			}
			time.Sleep(time.Second) // for so long a server goes by what it was told of keys before
			for _, key := range []string{"", made.Secret} {
				require.Eventually(t, func() bool { status, _ := ask(key); return status == 503 }, time.Minute, 50*time.Millisecond)
				_, body := ask(key)
				assert.Contains(t, body, "mneme keys reset")
			}
			_, err = a.Keys.Create(t.Context(), keyring.CreateInput{Tenant: "acme", Role: access.Reader})
			require.ErrorContains(t, err, "mneme keys reset")
			for _, address := range []string{"127.0.0.1:0", "0.0.0.0:0"} {
				config := a.config
				config.Listen = address
				_, err = Start(t.Context(), config, a.log)
				require.ErrorContains(t, err, "are gone")
				require.ErrorContains(t, err, "mneme keys reset")
			}

			require.NoError(t, a.Keys.Reset(t.Context()))
			status, _ := ask("")
			assert.Equal(t, 200, status)
			status, _ = ask(made.Secret)
			assert.Equal(t, 401, status, "as admin of default it would be another's")
			fresh, err := a.Keys.Create(t.Context(), keyring.CreateInput{Tenant: "acme", Role: access.Reader})
			require.NoError(t, err)
			status, _ = ask(fresh.Secret)
			assert.Equal(t, 200, status)
		})
	}
}

// TestAReplacedRingIsNoticed: a server follows the file that is there now, also when it had opened the one before.
func TestAReplacedRingIsNoticed(t *testing.T) {
	a := run(t, nil)
	made, err := a.Keys.Create(t.Context(), keyring.CreateInput{Tenant: "acme", Role: access.Reader})
	require.NoError(t, err)
	path := filepath.Join(a.config.Data, "_keys.db")
	for _, inPlace := range []bool{true, false} {
		ask := func(key string) int {
			status, _ := call{method: "POST", path: "/graphql", body: hello, header: http.Header{"X-Api-Key": {key}}}.do(t, a)
			return status
		}
		require.Equal(t, 200, ask(made.Secret))
		kept, err := os.ReadFile(path)
		require.NoError(t, err)
		later, err := a.Keys.Create(t.Context(), keyring.CreateInput{Tenant: "acme", Role: access.Reader})
		require.NoError(t, err)
		require.Equal(t, 200, ask(later.Secret))
		if !inPlace {
			require.NoError(t, os.Remove(path))
		}
		require.NoError(t, os.WriteFile(path, kept, 0o600))
		require.Eventually(t, func() bool { return ask(later.Secret) == 401 }, time.Minute, 50*time.Millisecond, "it is not in the file")
		beside, err := Open(t.Context(), a.config, a.log)
		require.NoError(t, err)
		_, err = beside.Keys.Revoke(t.Context(), made.Prefix, nil)
		require.NoError(t, errors.Join(err, beside.Close(t.Context())))
		require.Eventually(t, func() bool { return ask(made.Secret) == 401 }, time.Minute, 50*time.Millisecond)
		made, err = a.Keys.Create(t.Context(), keyring.CreateInput{Tenant: "acme", Role: access.Reader})
		require.NoError(t, err)
	}
}

// TestWhoStartsAServerIsWarned: of what keeps everybody out, and of files that others may use.
func TestWhoStartsAServerIsWarned(t *testing.T) {
	a := run(t, nil)
	assert.Empty(t, a.Warnings(t.Context()))
	made, err := a.Keys.Create(t.Context(), keyring.CreateInput{Tenant: "acme", Role: access.Reader})
	require.NoError(t, err)
	assert.Empty(t, a.Warnings(t.Context()))
	_, err = a.Keys.Revoke(t.Context(), made.Prefix, nil)
	require.NoError(t, err)
	require.NoError(t, os.Chmod(a.config.Data, 0o777))
	require.NoError(t, os.Chmod(filepath.Join(a.config.Data, "_keys.db"), 0o666))
	said := a.Warnings(t.Context())
	require.Len(t, said, 2)
	assert.Contains(t, said[0], "all keys are revoked or have expired")
	assert.Contains(t, said[1], "chmod 775 "+a.config.Data+"; chmod 600 "+filepath.Join(a.config.Data, "_keys.db"))
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
