package access_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/access"
)

func TestWhoMayWhat(t *testing.T) {
	t.Parallel()
	for role, may := range map[access.Role][]access.Act{
		access.Reader: {access.Read},
		access.Writer: {access.Read, access.Record},
		access.Admin:  {access.Read, access.Record, access.Administer},
		"":            nil,
		"admin":       nil, // roles are written in one way
		"OWNER":       nil,
	} {
		for _, act := range access.Acts {
			assert.Equal(t, contains(may, act), role.May(act), "%s %s", role, act)
		}
		assert.False(t, role.May(""), "nobody may what is no act")
		assert.False(t, role.May("PUBLISH"))
	}
	assert.Equal(t, access.Reader, access.Read.Needs())
	assert.Equal(t, access.Writer, access.Record.Needs())
	assert.Equal(t, access.Admin, access.Administer.Needs())
}

func contains(acts []access.Act, act access.Act) bool {
	for _, a := range acts {
		if a == act {
			return true
		}
	}
	return false
}

func TestParseRole(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]access.Role{"reader": access.Reader, "WRITER": access.Writer, "Admin": access.Admin, "": "", "owner": "", "reader ": ""} {
		role, err := access.ParseRole(word)
		assert.Equal(t, want, role, word)
		assert.Equal(t, want == "", err != nil, word)
	}
}

func TestCheckSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	ctx := access.With(t.Context(), access.Caller{Tenant: "acme", Role: access.Writer, Name: "mneme_aaaaaaaa"})
	require.NoError(t, access.Check(ctx, access.Record, "recordEpisode"))
	err := access.Check(ctx, access.Administer, "deleteAgent")
	var known *memory.Error
	require.ErrorAs(t, err, &known)
	assert.Equal(t, memory.CodeForbidden, known.Code)
	assert.Equal(t, "deleteAgent needs the role admin, and this key has the role writer", known.Message)

	assert.Equal(t, access.Caller{Tenant: "default", Role: access.Admin}, access.Of(t.Context()), "the program itself may all")
	require.Error(t, access.Check(access.With(t.Context(), access.Caller{}), access.Read, "recall"), "a caller without a role may nothing")
}

func TestKeyText(t *testing.T) {
	t.Parallel()
	text := access.Text([access.RandomBytes]byte{})
	assert.Equal(t, "mneme_aaaaaaaa_"+strings.Repeat("a", 52), text)
	var ones [access.RandomBytes]byte
	for i := range ones {
		ones[i] = 0xff
	}
	other := access.Text(ones)
	assert.Equal(t, "mneme_77777777_"+strings.Repeat("7", 51)+"q", other)

	prefix, ok := access.PrefixOf(other)
	assert.True(t, ok)
	assert.Equal(t, "mneme_77777777", prefix)
	for _, none := range []string{"", "mneme_77777777", other + "a", other[1:], strings.ToUpper(other), other + "\n", " " + other, strings.Replace(other, "7", "1", 1)} {
		_, ok := access.PrefixOf(none)
		assert.False(t, ok, "%q", none)
	}
	for given, want := range map[string]string{"mneme_77777777": "mneme_77777777", "77777777": "mneme_77777777", other: "mneme_77777777", "7777777": "", "": "", "mneme_": "", "mneme_7777777!": ""} {
		prefix, ok := access.ParsePrefix(given)
		assert.Equal(t, want != "", ok, given)
		if ok {
			assert.Equal(t, want, prefix)
		}
	}
	key := access.Key{Hash: access.HashOf(other)}
	assert.Len(t, key.Hash, 32)
	assert.True(t, key.Is(other))
	assert.False(t, key.Is(text))
	assert.False(t, key.Is(other[:len(other)-1]))
	assert.False(t, (&access.Key{}).Is(""), "a key without a hash is nobody's")
}

func TestStateOfAKey(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	at := func(ms int) *time.Time { return new(now.Add(time.Duration(ms) * time.Millisecond)) }
	for name, tt := range map[string]struct {
		key  access.Key
		want access.State
	}{
		"for ever":                {access.Key{}, access.Good},
		"a moment left":           {access.Key{ExpiresAt: at(1)}, access.Good},
		"ends now":                {access.Key{ExpiresAt: at(0)}, access.Expired},
		"ended":                   {access.Key{ExpiresAt: at(-1)}, access.Expired},
		"revoked":                 {access.Key{RevokedAt: at(-1)}, access.Revoked},
		"revoked by a fast clock": {access.Key{RevokedAt: at(60_000)}, access.Revoked},
		"revoked and ended":       {access.Key{RevokedAt: at(-1), ExpiresAt: at(-1)}, access.Revoked},
	} {
		assert.Equal(t, tt.want, tt.key.StateAt(now), name)
	}
}
