package sqlite

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/words"
)

func notice(key, content string, about ...string) store.ObservationRecord {
	return store.ObservationRecord{Observation: memory.Observation{
		Key: key, Content: content, Importance: memory.ImportanceLow, About: about, CreatedAt: noon,
	}, InputHash: []byte("hash of " + key)}
}

func (t *Tenant) mustObserve(tb testing.TB, records ...store.ObservationRecord) {
	tb.Helper()
	recorded, err := t.RecordObservations(tb.Context(), records)
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

// What a concept said stays in its revisions; the index has it no more.
func TestRefinedWordsAreNotInTheIndex(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	_, err := tenant.CreateMemoirs(t.Context(), []store.MemoirRecord{{Memoir: memory.Memoir{Key: "m", Name: "m"}}})
	require.NoError(t, err)
	_, err = tenant.AddConcepts(t.Context(), []store.ConceptRecord{{Concept: memory.Concept{
		Key: "p", MemoirKey: "m", Name: "p", Content: "beforezz flight", Labels: []string{"labelzz"}, CreatedAt: noon, UpdatedAt: noon,
	}}})
	require.NoError(t, err)
	const blocks = `SELECT count(*) FROM notes_data WHERE instr(block, 'forezz') OR instr(block, 'belzz')`
	require.Positive(t, tenant.number(t, blocks))
	require.NoError(t, tenant.RefineConcept(t.Context(), store.ConceptRefinement{
		Key: "p", Content: new("flight, flights"), Labels: &[]string{}, At: noon,
	}))
	assert.Zero(t, tenant.number(t, blocks))
	assert.Equal(t, 1, tenant.number(t, `SELECT count(*) FROM concepts WHERE revisions LIKE '%beforezz%labelzz%'`))
	requireWordsAgree(t, tenant)
}

func TestWordsOfAllKindsAreIndexedAnew(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	recordSecrets(t, tenant)
	tenant.mustObserve(t, notice("o1", "delayed flights"))
	tenant.change(t, `INSERT INTO notes (notes) VALUES ('delete-all')`)
	tenant.change(t, `UPDATE stems SET stem = 'old' || stem`)
	require.NoError(t, tenant.file.Write(t.Context(), func(c *db.Conn) error { return words.Rebuild(t.Context(), c, func(int) {}) }))
	requireWordsAgree(t, tenant)
	for text, want := range map[string]store.SearchMatch{
		"a flight":  {Kind: memory.KindObservation, Key: "o1"},
		"correctzz": {Kind: memory.KindFeedback, Key: "feedbackzz"},
	} {
		found, err := tenant.Search(t.Context(), store.SearchQuery{
			Text: text, Kinds: []memory.Kind{memory.KindFeedback, memory.KindObservation}, Limit: 9,
		})
		require.NoError(t, err)
		require.Len(t, found, 1)
		assert.Positive(t, found[0].Score)
		found[0].Score, found[0].Parts = 0, matching.Parts{}
		assert.Equal(t, want, found[0])
	}
}
