package keyring_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service/keyring"
	"mneme/store"
	"mneme/store/sqlite"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// ring is the keyring of a new store, its log, and a clock to set.
func ring(t *testing.T) (keys *keyring.Keyring, log *bytes.Buffer, clock *time.Time) {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, backend.Close(context.Background())) })
	log, clock = new(bytes.Buffer), new(now)
	return keyring.New(backend, slog.New(slog.NewTextHandler(log, nil))).WithClock(func() time.Time { return *clock }), log, clock
}

func requireCode(t *testing.T, err error, code memory.Code, field string) {
	t.Helper()
	var known *memory.Error
	require.ErrorAs(t, err, &known)
	assert.Equal(t, code, known.Code)
	assert.Equal(t, field, known.Field)
}

func TestAKeyOpensItsTenant(t *testing.T) {
	keys, log, _ := ring(t)
	some, err := keys.Any(t.Context())
	require.NoError(t, err)
	assert.False(t, some)

	made, err := keys.Create(t.Context(), keyring.CreateInput{Tenant: "acme", Role: access.Writer, Name: "the bot"})
	require.NoError(t, err)
	assert.Equal(t, access.Key{
		Prefix: made.Secret[:14], Hash: access.HashOf(made.Secret), Tenant: "acme", Role: access.Writer, Name: "the bot", CreatedAt: now,
	}, made.Key)
	caller, err := keys.Find(t.Context(), made.Secret)
	require.NoError(t, err)
	assert.Equal(t, access.Caller{Tenant: "acme", Role: access.Writer, Name: made.Prefix}, caller)
	some, err = keys.Any(t.Context())
	require.NoError(t, err)
	assert.True(t, some)
	assert.Contains(t, log.String(), "prefix="+made.Prefix)
	assert.NotContains(t, log.String(), " key=", "which is whose request it was, in the log of a server")
	assert.NotContains(t, log.String(), made.Secret[15:])

	other, err := keys.Create(t.Context(), keyring.CreateInput{Tenant: "acme", Role: access.Writer})
	require.NoError(t, err)
	assert.NotEqual(t, made.Secret, other.Secret)
	for name, wrong := range map[string]string{
		"nothing": "", "the prefix": made.Prefix, "another's end": made.Prefix + other.Secret[14:], "more": made.Secret + "a", "upper case": strings.ToUpper(made.Secret),
		"the hash": string(made.Hash),
	} {
		caller, err := keys.Find(t.Context(), wrong)
		requireCode(t, err, memory.CodeUnauthenticated, "")
		assert.Zero(t, caller, name)
	}
}

func TestKeysEnd(t *testing.T) {
	keys, log, clock := ring(t)
	made := func(ends *time.Time) *keyring.Created {
		made, err := keys.Create(t.Context(), keyring.CreateInput{Tenant: "acme", Role: access.Reader, ExpiresAt: ends})
		require.NoError(t, err)
		return made
	}
	brief, long := made(new(now.Add(time.Minute))), made(nil)
	*clock = now.Add(time.Minute - time.Millisecond)
	_, err := keys.Find(t.Context(), brief.Secret)
	require.NoError(t, err)
	*clock = now.Add(time.Minute)
	_, err = keys.Find(t.Context(), brief.Secret)
	requireCode(t, err, memory.CodeUnauthenticated, "")
	assert.ErrorContains(t, err, "has expired")
	assert.Equal(t, access.Expired, keys.State(&brief.Key))

	revoked, err := keys.Revoke(t.Context(), long.Prefix, nil)
	require.NoError(t, err)
	assert.Equal(t, now.Add(time.Minute), *revoked.RevokedAt)
	assert.False(t, revoked.Already)
	*clock = now.Add(time.Hour)
	revoked, err = keys.Revoke(t.Context(), long.Prefix, nil)
	require.NoError(t, err)
	assert.Equal(t, now.Add(time.Minute), *revoked.RevokedAt)
	assert.True(t, revoked.Already)
	_, err = keys.Find(t.Context(), long.Secret)
	requireCode(t, err, memory.CodeUnauthenticated, "")
	assert.ErrorContains(t, err, "was revoked")
	assert.Equal(t, 1, strings.Count(log.String(), "a key was revoked"))
	some, err := keys.Any(t.Context())
	require.NoError(t, err)
	assert.True(t, some, "a server that asked for keys goes on asking")
}

// TestWhoIsLockedOutIsWarned: where no admin has a key, whoever made one without a key can make no other by the API.
func TestWhoIsLockedOutIsWarned(t *testing.T) {
	keys, _, _ := ring(t)
	add := func(ctx context.Context, tenant string, role access.Role) *keyring.Created {
		made, err := keys.Create(ctx, keyring.CreateInput{Tenant: tenant, Role: role})
		require.NoError(t, err)
		return made
	}
	assert.Contains(t, add(t.Context(), "acme", access.Reader).Warning, "no admin of tenant acme or of default has one", "which was open to all until then")
	admin := add(t.Context(), "acme", access.Admin)
	assert.Empty(t, admin.Warning)
	assert.Empty(t, add(t.Context(), "acme", access.Writer).Warning)
	assert.Contains(t, add(t.Context(), "other", access.Writer).Warning, "tenant other")
	_, err := keys.Revoke(t.Context(), admin.Prefix, nil)
	require.NoError(t, err)
	assert.NotEmpty(t, add(t.Context(), "acme", access.Writer).Warning, "a key that was revoked makes none")
	keyed := access.With(t.Context(), access.Caller{Tenant: "acme", Role: access.Admin, Name: "MNEME_API_KEY"})
	assert.Empty(t, add(keyed, "acme", access.Reader).Warning, "who made it can make the next")

	own, err := keys.CreateOwn(access.With(t.Context(), access.Caller{Tenant: "third", Role: access.Admin}), keyring.CreateInput{Role: access.Reader})
	require.NoError(t, err)
	require.NotNil(t, own.Warning)
	assert.Contains(t, *own.Warning, "tenant third")
}

func TestKeysAreOfTheirTenant(t *testing.T) {
	keys, _, _ := ring(t)
	ours, err := keys.Create(t.Context(), keyring.CreateInput{Tenant: "acme", Role: access.Admin})
	require.NoError(t, err)
	theirs, err := keys.Create(t.Context(), keyring.CreateInput{Tenant: "other", Role: access.Admin})
	require.NoError(t, err)
	listed, err := keys.List(t.Context(), new("acme"))
	require.NoError(t, err)
	assert.Equal(t, []access.Key{ours.Key}, listed)
	_, err = keys.Revoke(t.Context(), theirs.Prefix, new("acme"))
	requireCode(t, err, memory.CodeNotFound, "prefix")
	_, err = keys.Find(t.Context(), theirs.Secret)
	require.NoError(t, err)
}

func TestKeysThatCannotBe(t *testing.T) {
	keys, _, _ := ring(t)
	good := keyring.CreateInput{Tenant: "acme", Role: access.Reader}
	for name, tt := range map[string]struct {
		change func(*keyring.CreateInput)
		field  string
	}{
		"no tenant":      {func(i *keyring.CreateInput) { i.Tenant = "" }, "tenant"},
		"upper case":     {func(i *keyring.CreateInput) { i.Tenant = "Acme" }, "tenant"},
		"a path":         {func(i *keyring.CreateInput) { i.Tenant = "../acme" }, "tenant"},
		"that of keys":   {func(i *keyring.CreateInput) { i.Tenant = "_keys" }, "tenant"},
		"no role":        {func(i *keyring.CreateInput) { i.Role = "" }, "role"},
		"another role":   {func(i *keyring.CreateInput) { i.Role = "OWNER" }, "role"},
		"a long name":    {func(i *keyring.CreateInput) { i.Name = strings.Repeat("n", 201) }, "name"},
		"two lines":      {func(i *keyring.CreateInput) { i.Name = "a\nb" }, "name"},
		"no text":        {func(i *keyring.CreateInput) { i.Name = "\xff" }, "name"},
		"ends now":       {func(i *keyring.CreateInput) { i.ExpiresAt = new(now) }, "expiresAt"},
		"ended":          {func(i *keyring.CreateInput) { i.ExpiresAt = new(now.Add(-time.Hour)) }, "expiresAt"},
		"after all time": {func(i *keyring.CreateInput) { i.ExpiresAt = new(time.Date(300000, 1, 1, 0, 0, 0, 0, time.UTC)) }, "expiresAt"},
	} {
		t.Run(name, func(t *testing.T) {
			input := good
			tt.change(&input)
			_, err := keys.Create(t.Context(), input)
			requireCode(t, err, memory.CodeInvalidInput, tt.field)
		})
	}
	listed, err := keys.List(t.Context(), nil)
	require.NoError(t, err)
	assert.Empty(t, listed)
	for _, prefix := range []string{"", "mneme_", "mneme_k3x7q2a", "'; DROP TABLE keys"} {
		_, err := keys.Revoke(t.Context(), prefix, nil)
		requireCode(t, err, memory.CodeInvalidInput, "prefix")
	}
	_, err = keys.Revoke(t.Context(), "mneme_k3x7q2aa", nil)
	requireCode(t, err, memory.CodeNotFound, "prefix")
}

// silent are keys of a store that does not answer, and that gave up at last where it is told so.
type silent struct {
	store.Keys

	gaveUp bool
}

func (s silent) Key(ctx context.Context, _ string) (*access.Key, error) { return nil, s.wait(ctx) }

func (s silent) HasKeys(ctx context.Context) (bool, error) { return false, s.wait(ctx) }

func (s silent) wait(ctx context.Context) error {
	if s.gaveUp {
		return store.ErrTooMuch
	}
	<-ctx.Done()
	return ctx.Err()
}

func TestNobodyWaitsLongForAStoreThatDoesNotAnswer(t *testing.T) {
	for _, gaveUp := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			keys := keyring.New(silent{gaveUp: gaveUp}, slog.New(slog.DiscardHandler))
			_, err := keys.Find(t.Context(), "mneme_k3x7q2aa_"+strings.Repeat("a", 52))
			requireCode(t, err, memory.CodeUnavailable, "")
			_, err = keys.Any(t.Context())
			requireCode(t, err, memory.CodeUnavailable, "")

			gone, leave := context.WithCancel(t.Context())
			leave()
			_, err = keys.Any(gone)
			if !gaveUp {
				require.ErrorIs(t, err, context.Canceled, "who does not wait any more")
			}
		})
	}
}
