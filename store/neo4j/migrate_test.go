package neo4j

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/cypher"
)

// What version 1 wrote is, after the migration, walked and searched like what is written today, and the
// indexes that came with version 2 are there.
func TestDataOfVersion1IsCompleted(t *testing.T) {
	runAfterwards(t)
	keeper := mustConnect(t)
	name, s := "test-"+rand.Text(), storeOf(freshStore(t, keeper))
	defer runCypher[any](t, keeper, "MATCH (s:MnemeSchema {name: $name}) DELETE s", cypher.Parameters{"name": name})
	mustRecord(t, s, draft("effect", func(r *store.EpisodeRecord) {
		r.Episode.SessionKey, r.CausedBy, r.Episode.Observation = new("s"), []string{"cause"}, "A walrus was seen"
	}), draft("cause"))
	mustAct(t, s, shown("c", "effect", day))
	reaction := liked("f", "effect", day)
	reaction.Feedback.CanvasKey, reaction.Feedback.Corrections = new("c"), new("It was no walrus")
	mustReact(t, s, reaction)
	before := whatIsFound(t, s)
	require.Len(t, before.links, 7)
	require.Len(t, before.matches, 2)
	require.NotZero(t, before.sum)

	asOfVersion1(t, s, name)
	lost := whatIsFound(t, s)
	require.Empty(t, lost.links)
	require.Empty(t, lost.matches)
	require.Zero(t, lost.sum)
	for range 2 { // the second time there is nothing to do
		migrated, err := connect(t, name)
		require.NoError(t, err)
		require.NoError(t, migrated.Close(t.Context()))
	}
	require.Equal(t, before, whatIsFound(t, s))
	require.Equal(t, []int64{schemaVersion}, runCypher[int64](t, keeper, "MATCH (s:MnemeSchema {name: $name}) RETURN s.version", cypher.Parameters{"name": name}))
	require.Equal(t, []string{"ONLINE"}, runCypher[string](t, keeper, "SHOW INDEXES YIELD name, state WHERE name = 'mneme_correction_topic' RETURN state", nil))
}

// asOfVersion1 takes away from a tenant, and from the schema, some of what version 2 added.
func asOfVersion1(t *testing.T, s *tenantStore, schema string) {
	t.Helper()
	values := cypher.Parameters{"tenant": s.TenantID, "name": schema}
	for _, text := range []string{
		"MATCH (a)-[r]->(b) WHERE a.tenant = $tenant REMOVE r.tenant, r.from, r.to",
		"MATCH (n:Episode|Feedback {tenant: $tenant}) REMOVE n.words, n.wordId, n.boosted, n.aggregates, n.bag, n.bagLength SET n.kindToken = '7'",
		"MATCH (c:WordCount {tenant: $tenant}) DELETE c",
		"DROP INDEX mneme_correction_topic",
		"CREATE (:MnemeSchema {name: $name, version: 1})",
	} {
		runCypher[any](t, s.backend, text, values)
	}
}

// finds is what walks and searches find of the records of the test.
type finds struct {
	links   []store.Link
	matches []string
	sum     float64 // of the scores of an episode
}

func whatIsFound(t *testing.T, s *tenantStore) finds {
	t.Helper()
	all := []string{"agent:agent", "session:s", "episode:effect", "episode:cause", "canvas:c", "feedback:f"}
	links, err := s.LinksBetween(t.Context(), all, all, nil, 100)
	require.NoError(t, err)
	matches, err := s.Search(t.Context(), store.SearchQuery{Text: "walrus", Kinds: memory.Kinds, Limit: 10})
	require.NoError(t, err)
	episodes, err := s.Episodes(t.Context(), store.EpisodesByKey{Keys: []string{"effect"}})
	require.NoError(t, err)
	found := finds{links: links, sum: episodes[0].FeedbackSum}
	for _, match := range matches {
		found.matches = append(found.matches, memory.NodeID(match.Kind, match.Key))
	}
	return found
}
