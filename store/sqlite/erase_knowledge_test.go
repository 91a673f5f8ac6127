package sqlite

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

func notice(key, content string, about ...string) store.ObservationRecord {
	return store.ObservationRecord{Observation: memory.Observation{
		Key: key, Content: content, Importance: memory.ImportanceLow, About: about, CreatedAt: noon,
	}, InputHash: []byte("hash of " + key)}
}

func (t *Tenant) mustObserve(tb testing.TB, records ...store.ObservationRecord) {
	tb.Helper()
	recorded, err := store.Record(tb.Context(), t, records)
	require.NoError(tb, err)
	for _, r := range recorded {
		require.NoError(tb, r.Err)
	}
}

func TestPrunedTextIsInNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tenant := openTenant(t, dir)
	_, err := tenant.InputKey(t.Context()) // before what is hashed with it
	require.NoError(t, err)
	secret := notice("prunekeyzz", "prunetextzz", "episode:prunewaitzz")
	secret.Observation.SessionKey = new("prunesessionzz")
	tenant.mustObserve(t, notice("a", "what stays is here among others"), secret)
	kept := notice("b", "what stays is here among others", "observation:prunekeyzz")
	kept.Observation.Importance = memory.ImportanceHigh
	tenant.mustObserve(t, kept)
	words := []string{"prunekeyzz", "prunetextzz", "prunewaitzz", "prunesessionzz"}
	for _, word := range words {
		require.NotEmpty(t, traces(t, dir, word), "%s was written", word)
	}
	count, err := tenant.PruneObservations(t.Context(), store.Pruning{Now: noon, MinWeight: 0.3})
	require.NoError(t, err)
	assert.Equal(t, 2, count)
	tenant.mustCompact(t)
	assert.Empty(t, traces(t, dir, words...))
	assert.NotEmpty(t, traces(t, dir, "stays"))
	requireWordsAgree(t, tenant)
}
