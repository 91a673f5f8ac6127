package storetest

import (
	"context"
	"crypto/rand"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory/access"
	"mneme/store"
)

func (s suite) keys(t *testing.T) {
	t.Run("a key is found by its prefix, as it was added", s.keptKeys)
	t.Run("a key is added once", s.sameKeys)
	t.Run("keys are listed by tenant, the newest first", s.listedKeys)
	t.Run("a key is revoked once, by its own tenant only", s.revokedKeys)
	t.Run("a key that cannot be read opens nothing, and hides no other", s.unreadableKeys)
	t.Run("who revokes at once finds one revocation", s.racingRevocations)
}

// randomKey is a key that nobody has, of a tenant.
func randomKey(tenant string, madeAt time.Time) access.Key {
	var random [access.RandomBytes]byte
	_, _ = rand.Read(random[:]) // never fails
	text := access.Text(random)
	prefix, _ := access.PrefixOf(text)
	return access.Key{Prefix: prefix, Hash: access.HashOf(text), Tenant: tenant, Role: access.Writer, Name: "for ünit tests", User: "änn", CreatedAt: madeAt}
}

func (s suite) keptKeys(t *testing.T) {
	backend := s.open(t)
	plain := randomKey(randomTenant(), at(1))
	full := randomKey(randomTenant(), at(2))
	full.Role, full.Name, full.ExpiresAt, full.RevokedAt = access.Admin, "", new(at(3)), new(at(4))
	unknown := randomKey(plain.Tenant, at(1))
	for _, key := range []access.Key{plain, full} {
		require.NoError(t, backend.AddKey(t.Context(), key))
	}
	for _, key := range []access.Key{plain, full} {
		found, err := backend.Key(t.Context(), key.Prefix)
		require.NoError(t, err)
		require.Equal(t, &key, found)
	}
	for _, prefix := range []string{unknown.Prefix, "", plain.Prefix[:len(plain.Prefix)-1]} {
		none, err := backend.Key(t.Context(), prefix)
		require.NoError(t, err)
		require.Nil(t, none)
	}
	has, err := backend.HasKeys(t.Context())
	require.NoError(t, err)
	require.True(t, has)
	has, err = backend.Has(t.Context(), plain.Tenant)
	require.NoError(t, err)
	require.False(t, has, "a key makes no tenant")
}

func (s suite) sameKeys(t *testing.T) {
	backend := s.open(t)
	first := randomKey(randomTenant(), at(1))
	require.NoError(t, backend.AddKey(t.Context(), first))
	require.NoError(t, backend.AddKey(t.Context(), first), "after an answer that was lost")
	other := randomKey(randomTenant(), at(2))
	other.Prefix = first.Prefix
	require.ErrorIs(t, backend.AddKey(t.Context(), other), store.ErrConflict)
	found, err := backend.Key(t.Context(), first.Prefix)
	require.NoError(t, err)
	require.Equal(t, &first, found)
}

func (s suite) listedKeys(t *testing.T) {
	backend := s.open(t)
	ours, theirs := randomTenant(), randomTenant()
	old, newer, foreign := randomKey(ours, at(1)), randomKey(ours, at(2)), randomKey(theirs, at(3))
	tied := randomKey(ours, at(1))
	for _, key := range []access.Key{old, foreign, newer, tied} {
		require.NoError(t, backend.AddKey(t.Context(), key))
	}
	older := []access.Key{old, tied}
	if tied.Prefix < old.Prefix {
		older = []access.Key{tied, old}
	}
	listed, err := backend.ListKeys(t.Context(), &ours)
	require.NoError(t, err)
	require.Equal(t, append([]access.Key{newer}, older...), listed)
	all, err := backend.ListKeys(t.Context(), nil)
	require.NoError(t, err)
	require.Subset(t, all, []access.Key{old, newer, foreign, tied})
	none, err := backend.ListKeys(t.Context(), new(randomTenant()))
	require.NoError(t, err)
	require.NotNil(t, none)
	require.Empty(t, none)
}

func (s suite) revokedKeys(t *testing.T) {
	backend := s.open(t)
	key := randomKey(randomTenant(), at(1))
	require.NoError(t, backend.AddKey(t.Context(), key))
	_, err := backend.RevokeKey(t.Context(), key.Prefix, new(randomTenant()), at(2))
	require.ErrorIs(t, err, store.ErrNotFound, "of another tenant")
	_, err = backend.RevokeKey(t.Context(), randomKey(key.Tenant, at(1)).Prefix, nil, at(2))
	require.ErrorIs(t, err, store.ErrNotFound)
	found, err := backend.Key(t.Context(), key.Prefix)
	require.NoError(t, err)
	require.Equal(t, &key, found, "nothing was changed")

	key.RevokedAt = new(at(3))
	for _, tenant := range []*string{&key.Tenant, nil, &key.Tenant} {
		revoked, err := backend.RevokeKey(t.Context(), key.Prefix, tenant, *key.RevokedAt)
		require.NoError(t, err)
		require.Equal(t, key, revoked)
	}
	again, err := backend.RevokeKey(t.Context(), key.Prefix, nil, at(9))
	require.NoError(t, err)
	require.Equal(t, key, again, "since the first time")
	found, err = backend.Key(t.Context(), key.Prefix)
	require.NoError(t, err)
	require.Equal(t, &key, found)
}

func (s suite) unreadableKeys(t *testing.T) {
	backend := s.open(t)
	sound := randomKey(randomTenant(), at(1))
	broken := randomKey(sound.Tenant, at(2))
	broken.Role = "BOSS"
	for _, key := range []access.Key{sound, broken} {
		require.NoError(t, backend.AddKey(t.Context(), key))
	}
	list := func() (listed []access.Key, unread []string) {
		var damage store.Damage
		listed, err := backend.ListKeys(store.WithDamage(t.Context(), damage.Note), &sound.Tenant)
		require.NoError(t, err)
		for _, damaged := range damage.Found() {
			require.Equal(t, store.KindAccessKey, damaged.Kind)
			unread = append(unread, damaged.Key)
		}
		return listed, unread
	}
	listed, unread := list()
	require.Equal(t, []access.Key{sound}, listed)
	require.Equal(t, []string{broken.Prefix}, unread)
	_, err := backend.Key(t.Context(), broken.Prefix)
	require.Error(t, err)
	revoked, err := backend.RevokeKey(t.Context(), broken.Prefix, nil, at(3))
	require.NoError(t, err)
	require.Equal(t, access.Reader, revoked.Role, "it opens nothing whatever it was")
	listed, unread = list()
	require.Equal(t, []access.Key{revoked, sound}, listed)
	require.Empty(t, unread)
}

// RunLostKeys loses the keys of a backend: an error, not a deployment without any, until somebody resets them.
func RunLostKeys(t *testing.T, backend store.Backend, lose func()) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	require.NoError(t, backend.AddKey(ctx, randomKey(randomTenant(), at(1))))
	lose()
	_, err := backend.HasKeys(ctx)
	require.ErrorIs(t, err, store.ErrKeysLost)
	key := randomKey(randomTenant(), at(2))
	require.NoError(t, backend.AddKey(ctx, key))
	has, err := backend.HasKeys(ctx)
	require.NoError(t, err)
	require.True(t, has)
	for range 2 {
		require.NoError(t, backend.ResetKeys(ctx))
		has, err = backend.HasKeys(ctx)
		require.NoError(t, err)
		require.False(t, has)
		found, err := backend.Key(ctx, key.Prefix)
		require.NoError(t, err)
		require.Nil(t, found)
	}
}

func (s suite) racingRevocations(t *testing.T) {
	backend := s.open(t)
	key := randomKey(randomTenant(), at(1))
	require.NoError(t, backend.AddKey(t.Context(), key))
	var group sync.WaitGroup
	revoked, errs := make([]access.Key, 8), make([]error, 8)
	for i := range revoked {
		group.Go(func() { revoked[i], errs[i] = backend.RevokeKey(t.Context(), key.Prefix, nil, at(10+i)) })
	}
	group.Wait()
	for i := range revoked {
		require.NoError(t, errs[i])
		require.Equal(t, revoked[0].RevokedAt, revoked[i].RevokedAt)
	}
}
