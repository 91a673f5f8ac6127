package sqlite

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/words"
	"mneme/store/storetest"
)

// requireMeanings makes sure that the records that have texts, and no others, have the vectors of these.
func requireMeanings(t *testing.T, tenant *Tenant) (rows int) {
	t.Helper()
	require.NoError(t, tenant.file.Snapshot(t.Context(), func(c *db.Conn) error {
		kept := map[int64]string{}
		err := c.Query(`SELECT node, kind || ' ' || hex(codes) FROM meanings`, func(r *db.Row) error {
			id := r.Integer()
			kept[id] = r.Text()
			return nil
		})
		require.NoError(t, err)
		nodes, err := words.AllNodes(c)
		require.NoError(t, err)
		for _, n := range nodes {
			if len(matching.Texts(n.Kind)) == 0 {
				continue
			}
			texts, err := words.TextsOf(c, n.Kind, n.ID)
			require.NoError(t, err)
			most := 1
			if n.Kind == memory.KindEpisode {
				most = 8
			}
			var codes strings.Builder
			for _, code := range meaning.Codes(most, texts...) {
				fmt.Fprintf(&codes, "%X", code.Bytes())
			}
			require.Equal(t, string(n.Kind)+" "+codes.String(), kept[n.ID])
			delete(kept, n.ID)
			rows++
		}
		require.Empty(t, kept)
		return nil
	}))
	return rows
}

// openWithout opens a directory without vectors.
func openWithout(t *testing.T, dir string) *Tenant {
	t.Helper()
	backend, err := Open(t.Context(), Options{Dir: dir, WithoutVectors: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	return bindTenant(t, backend)
}

func (t *Tenant) mustDue(tb testing.TB) int {
	tb.Helper()
	due, err := t.DueVectors(tb.Context())
	require.NoError(tb, err)
	return due
}

func TestEveryRecordHasItsVector(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	furnish(t, tenant)
	require.Equal(t, 7, requireMeanings(t, tenant), "also feedback without words")
	long := record("long", "a parcel came late\nthe customer is upset\nshe wants her money back")
	long.Episode.Concluded = false
	tenant.mustRecord(t, long)
	require.Equal(t, 4*meaning.Dimensions, tenant.number(t, `SELECT max(length(codes)) FROM meanings WHERE kind = 'episode'`)-meaning.Dimensions, "with the insight's line, and the whole")

	ctx := t.Context()
	require.NoError(t, tenant.ConcludeEpisode(ctx, store.EpisodeConclusion{Key: "long", Outcome: memory.OutcomeFailure, Result: new("nobody answered")}))
	requireMeanings(t, tenant)
	err := tenant.RefineConcept(ctx, store.ConceptRefinement{Key: "c1", Content: new("Within 14 days"), At: noon})
	require.NoError(t, err)
	requireMeanings(t, tenant)
	require.NoError(t, storetest.Delete(ctx, tenant, memory.KindEpisode, "long"))
	require.NoError(t, storetest.Delete(ctx, tenant, memory.KindObservation, "o1"))
	require.Equal(t, 6, requireMeanings(t, tenant))
	require.Zero(t, tenant.mustDue(t))
}

func TestABatchHasTheVectorsOfItsRecords(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	records := manyRecords(100)
	records = append(records, records[3]) // again
	tenant.mustRecord(t, records...)
	require.Equal(t, 100, requireMeanings(t, tenant))
}

func TestVectorsThatAreDueAreMade(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	without := openWithout(t, dir)
	furnish(t, without)
	require.Zero(t, without.number(t, `SELECT count(*) FROM meanings`))
	require.Zero(t, without.mustDue(t), "nobody wants them")
	made, err := without.Reindex(t.Context(), nil)
	require.NoError(t, err)
	require.Zero(t, made)

	backend := openBackend(t, dir)
	due, err := backend.Due(t.Context())
	require.NoError(t, err)
	require.Contains(t, due, "t")
	parts := examined(t, backend)
	requireWhole(t, parts)
	require.Equal(t, "vectors of 0 records; 7 more have none yet: a server makes them in the background, or mneme rebuild", parts["meanings"].Found)
	tenant := bindTenant(t, backend)
	require.Equal(t, 7, tenant.mustDue(t))
	var steps []store.ReindexStep
	made, err = tenant.Reindex(t.Context(), func(step store.ReindexStep) { steps = append(steps, step) })
	require.NoError(t, err)
	require.Equal(t, 7, made)
	require.Equal(t, []store.ReindexStep{{Made: 7, Due: 7}}, steps)
	require.Equal(t, 7, requireMeanings(t, tenant))
	require.Zero(t, tenant.mustDue(t))
	due, err = backend.Due(t.Context())
	require.NoError(t, err)
	require.NotContains(t, due, "t")
}

// What is written without vectors while others are made is due afterwards.
func TestReindexIsResumedAndMindsOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	without := openWithout(t, dir)
	without.mustRecord(t, manyRecords(600)...)
	backend := openBackend(t, dir)
	tenant := bindTenant(t, backend)

	ctx, cancel := context.WithCancel(t.Context())
	made, err := tenant.Reindex(ctx, func(store.ReindexStep) { cancel() })
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 256, made)
	require.Equal(t, 600-256, tenant.mustDue(t))

	once := false
	made, err = tenant.Reindex(t.Context(), func(store.ReindexStep) {
		if once {
			return
		}
		once = true
		require.NoError(t, storetest.Delete(t.Context(), tenant, memory.KindEpisode, "e599"))
		require.NoError(t, without.file.Write(t.Context(), func(c *db.Conn) error { // one that has its vector
			require.NoError(t, c.Exec(`UPDATE contents SET observation = 'a seal' WHERE episode = 3`))
			return words.Reword(c, memory.KindEpisode, 3)
		}))
	})
	require.NoError(t, err)
	require.Equal(t, 600-256-1, made)
	require.Equal(t, 1, tenant.mustDue(t))
	due, err := backend.Due(t.Context())
	require.NoError(t, err)
	require.Contains(t, due, "t")
	made, err = tenant.Reindex(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, 1, made)
	require.Equal(t, 599, requireMeanings(t, tenant))
}

// Of a session all turns are compared, however many there are in others that are nearer.
func TestTheNearestOfASessionAreFound(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	turns := func(session, text string, from, count int) {
		t.Helper()
		records := make([]store.ObservationRecord, count)
		for i := range records {
			key := fmt.Sprintf("%s%05d", session, from+i)
			records[i] = store.ObservationRecord{InputHash: []byte(key), Observation: memory.Observation{
				Key: key, SessionKey: new(session), Content: text, Importance: memory.ImportanceMedium, CreatedAt: noon,
			}}
		}
		_, err := tenant.RecordObservations(t.Context(), records)
		require.NoError(t, err)
	}
	turns("mine", "Our automobile broke down on the road", 0, 1)
	for part := range 5 {
		turns("theirs", "The vehicle failed its ignition", part*1000, 1000)
	}
	query := store.SearchQuery{Text: "car engine does not start", Kinds: []memory.Kind{memory.KindObservation}, Limit: 10}
	found, err := tenant.Search(t.Context(), query)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(found[0].Key, "theirs"), "they are nearer")
	query.Session = new("mine")
	found, err = tenant.Search(t.Context(), query)
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.GreaterOrEqual(t, found[0].Parts.Meaning, matching.LeastMeaning)
}

func TestReindex(t *testing.T) {
	t.Parallel()
	storetest.RunReindex(t, func(t *testing.T) (with, without store.Backend) {
		dir := t.TempDir()
		plain, err := Open(t.Context(), Options{Dir: dir, WithoutVectors: true})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, plain.Close(context.Background())) })
		return openBackend(t, dir), plain
	})
}
