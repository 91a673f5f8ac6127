package cli_test

import (
	"bufio"
	"bytes"
	"database/sql"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// made makes a key by the command line, and answers it and its prefix.
func made(t *testing.T, data string, args ...string) (key, prefix string) {
	t.Helper()
	got := mneme(t, nil, "", append([]string{"keys", "create", "--data", data, "--json"}, args...)...)
	require.Equal(t, 0, got.status, got.err)
	var answer struct{ Key, Prefix string }
	require.NoError(t, json.Unmarshal([]byte(got.out), &answer))
	return answer.Key, answer.Prefix
}

func TestKeysAreMadeListedAndRevoked(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	got := mneme(t, nil, "", "keys", "create", "--data", data, "--tenant", "acme", "--role", "writer", "--expires", "90d", "--name", "the bot")
	require.Equal(t, 0, got.status, got.err)
	key, _, _ := strings.Cut(got.out, "\n")
	assert.Regexp(t, `^mneme_[a-z2-7]{8}_[a-z2-7]{52}$`, key)
	assert.Equal(t, key+"\n", got.out, "nothing else, for a file")
	assert.Regexp(t, `^A key of a writer of tenant acme, until 20\S+\. It is shown this once\.\nNote: .* no admin of tenant acme or of default has one.* \(mneme keys create --role admin --tenant acme; mneme keys create --role admin --tenant default\) makes it\.\n$`, got.err, "and no line of a log")

	_, other := made(t, data, "--role", "ADMIN")
	got = mneme(t, nil, "", "keys", "list", "--data", data)
	require.Equal(t, 0, got.status, got.err)
	lines := strings.Split(strings.TrimSpace(got.out), "\n")
	require.Len(t, lines, 3)
	assert.Regexp(t, `^`+other+` +default +admin +good +20\S+ +never`, lines[1])
	assert.Regexp(t, `^`+key[:14]+` +acme +writer +good +20\S+ +20\S+ \S+ +the bot *$`, lines[2])
	assert.NotContains(t, got.out, key)

	got = mneme(t, nil, "", "keys", "revoke", "--data", data, key[:14])
	require.Equal(t, 0, got.status, got.err)
	assert.Equal(t, key[:14]+", of a writer of tenant acme, is revoked.\n", got.out)
	assert.Empty(t, got.err, "servers log it")
	got = mneme(t, nil, "", "keys", "revoke", "--data", data, key[:14])
	require.Equal(t, 0, got.status, got.err)
	assert.Regexp(t, `^`+key[:14]+`, of a writer of tenant acme, was revoked already, at 20\S+Z\.\n$`, got.out)
	assert.Empty(t, got.err)
	got = mneme(t, nil, "", "keys", "list", "--data", data, "--tenant", "acme", "--json")
	var list struct{ Keys []map[string]any }
	require.NoError(t, json.Unmarshal([]byte(got.out), &list))
	require.Len(t, list.Keys, 1)
	assert.Equal(t, "revoked", list.Keys[0]["state"])
	assert.NotContains(t, list.Keys[0], "hash")

	got = mneme(t, nil, "", "keys", "list", "--data", data, "--tenant", "other")
	assert.Equal(t, "No keys. mneme keys create makes one.\n", got.out)

	files, err := filepath.Glob(filepath.Join(data, "*"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.NotContains(t, string(text), key[15:], "the key itself is nowhere: "+file)
	}
	examined := mneme(t, nil, "", "doctor", "--data", data)
	assert.Equal(t, 0, examined.status, "a ring of keys is no fault")
	assert.Regexp(t, `(?m)^ok +access keys +1, and 1 revoked or expired$`, examined.out)
	done(t, "", "keys", "revoke", "--data", data, other)
	assert.Regexp(t, `(?m)^ok +access keys +0, and 2 revoked or expired$`, done(t, "", "doctor", "--data", data))
}

// A key that cannot be read opens nothing, and hides no other.
func TestKeysThatCannotBeRead(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	sound, good := made(t, data)
	key, broken := made(t, data)
	change := func(statement string) {
		db, err := sql.Open("sqlite", filepath.Join(data, "_keys.db"))
		require.NoError(t, err)
		_, err = db.Exec(statement)
		require.NoError(t, err)
		require.NoError(t, db.Close())
	}
	change("UPDATE keys SET role = 'BOSS' WHERE prefix = '" + broken + "'")
	s := serve(t, data)
	for opens, status := range map[string]int{key: http.StatusInternalServerError, sound: http.StatusOK} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/graphql", strings.NewReader(`{"query":"{ __typename }"}`))
		require.NoError(t, err)
		request.Header = http.Header{"Content-Type": {"application/json"}, "X-Api-Key": {opens}}
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		assert.Equal(t, status, answer.StatusCode)
	}
	s.kill(t)
	got := mneme(t, nil, "", "keys", "list", "--data", data)
	assert.Equal(t, 0, got.status)
	assert.Contains(t, got.out, good)
	assert.NotContains(t, got.out, broken)
	revoke := "mneme keys revoke " + broken
	assert.Contains(t, got.err, "the key "+broken+" cannot be read, and opens nothing; "+revoke+" ends it")
	told := mneme(t, nil, "", "doctor", "--data", data)
	assert.Equal(t, 1, told.status)
	assert.Contains(t, told.out, "access keys: 1 cannot be read, and open nothing: "+broken+"\n  Revoke them, one after the other: "+revoke+"\n")
	done(t, "", "keys", "revoke", "--data", data, broken)
	assert.Contains(t, done(t, "", "doctor", "--data", data), "1, and 1 revoked or expired")

	change("DROP TABLE keys")
	got = mneme(t, nil, "", "keys", "list", "--data", data)
	assert.Equal(t, 1, got.status)
	assert.Contains(t, got.err, "INTERNAL: internal error\nWhere something in the store is damaged, this says what: mneme doctor --data "+data+"\n")
}

// Keys that are gone keep everybody out, until somebody says that they are not to come back.
func TestKeysAreReset(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	_, prefix := made(t, data)
	done(t, "", "keys", "revoke", "--data", data, prefix)
	_, warned := greeting(t, data)
	assert.Contains(t, warned, "Attention: all keys are revoked or have expired, so nobody is let in. Make one: mneme keys create --data "+data)
	require.NoError(t, os.Remove(filepath.Join(data, "_keys.db")))
	reset := "mneme keys reset"
	for _, args := range [][]string{{"serve", "--listen", "127.0.0.1:0"}, {"keys", "list"}, {"keys", "create"}, {"doctor"}} {
		got := mneme(t, nil, "", append(args, "--data", data)...)
		assert.Equal(t, 1, got.status, args)
		assert.Contains(t, got.out+got.err, reset, args)
	}
	refused := mneme(t, nil, "", "keys", "reset", "--data", data)
	assert.Equal(t, 2, refused.status)
	assert.Contains(t, refused.err, "Say so with --yes")
	assert.Equal(t, "There are no keys any more. mneme keys create makes one.\n", done(t, "", "keys", "reset", "--yes", "--data", data))
	made(t, data)
	done(t, "", "doctor", "--data", data)
}

func TestKeysThatCannotBeMade(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	for _, tt := range []struct {
		args []string
		says string
	}{
		{[]string{"create", "--role", "owner"}, "must be reader, writer or admin"},
		{[]string{"create", "--tenant", "Acme"}, "a–z"},
		{[]string{"create", "--expires", "-5h"}, "from now, above 0"},
		{[]string{"create", "--expires", "0d"}, "from now, above 0"},
		{[]string{"create", "--expires", "2001-01-01"}, "--expires must be in the future"},
		{[]string{"create", "--expires", "40000d"}, "at most 36500d"},
		{[]string{"create", "--expires", "soon"}, "must be an RFC 3339 time such as 2026-03-01T12:00:00Z, or a day such as 2026-03-01, or so many days (90d) or hours (12h) from now"},
		{[]string{"create", "--expires", "1y"}, "or so many days (90d)"},
		{[]string{"create", "--name", "two\nlines"}, "--name must be"},
		{[]string{"revoke", "mneme"}, "the prefix must be the first 14 characters of a key"},
	} {
		got := mneme(t, nil, "", append(append([]string{"keys"}, tt.args...), "--data", data)...)
		if tt.args[0] == "create" {
			assert.Equal(t, 2, got.status, tt.args)
			assert.Contains(t, got.err, tt.says)
		} else {
			assert.NotEqual(t, 0, got.status, tt.args)
		}
	}
	assert.NoFileExists(t, filepath.Join(data, "_keys.db"), "nothing was changed")
	_, _ = made(t, data)
	got := mneme(t, nil, "", "keys", "revoke", "--data", data, "mneme")
	assert.Equal(t, 2, got.status)
	assert.Contains(t, got.err, "the prefix must be the first 14 characters of a key")
	got = mneme(t, nil, "", "keys", "revoke", "--data", data, "mneme_aaaaaaaa")
	assert.Equal(t, 1, got.status)
	assert.Contains(t, got.err, "there is no key mneme_aaaaaaaa")
}

// greeting is what a server prints when it begins, and what it warns of before that.
func greeting(t *testing.T, data string, env ...string) (said, warned string) {
	t.Helper()
	cmd := command(t, env, "serve", "--listen", "127.0.0.1:0", "--data", data)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	require.NoError(t, cmd.Start())
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait(); warned = errs.String() }()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "Ctrl-C") {
			return said, ""
		}
		said += lines.Text() + "\n"
	}
	require.Fail(t, "it ended", said)
	return "", ""
}

// The first steps that a server prints can be pasted: with a key once there is one.
func TestFirstStepsNameAKeyWhereThereIsOne(t *testing.T) {
	t.Parallel()
	steps := func(data string, env ...string) string {
		said, _ := greeting(t, data, env...)
		return said
	}
	data := filepath.Join(t.TempDir(), "data")
	assert.NotContains(t, steps(data), "authorization")
	made(t, data, "--role", "writer")
	assert.Contains(t, steps(data), `-H 'authorization: Bearer YOUR_KEY' \`)
	assert.Contains(t, steps(data, "MNEME_API_KEY=a-key-of-the-test"), `-H "authorization: Bearer $MNEME_API_KEY" \`)
}
