package neo4j

import (
	"context"
	crand "crypto/rand"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
	"mneme/store/meaning"
	"mneme/store/neo4j/cypher"
)

// A store without vectors leaves them due, and one with them makes those, also beside others.
func TestVectorsAreMadeAfterwards(t *testing.T) {
	with := mustConnect(t)
	without := mustConnect(t)
	without.vectors = false
	id := storeOf(freshStore(t, with)).TenantID
	made, left := with.bind(id), without.bind(id)
	due := func(s *tenantStore) int {
		n, err := s.DueVectors(t.Context())
		require.NoError(t, err)
		return n
	}

	mustRecord(t, left, draft("e1", func(r *store.EpisodeRecord) {
		r.Episode.Observation, r.Episode.Concluded = "The vehicle failed its ignition", false
	}))
	records := make([]store.ObservationRecord, madeTogether+1)
	for i := range records {
		records[i] = observation(fmt.Sprintf("o%03d", i))
	}
	created(t)(left.RecordObservations(t.Context(), records))
	mustRecord(t, made, draft("e2"))
	require.Equal(t, len(records)+1, due(made))
	require.Zero(t, due(left), "it makes none")
	tenants, err := with.Due(t.Context())
	require.NoError(t, err)
	require.Contains(t, tenants, id)
	tenants, err = without.Due(t.Context())
	require.NoError(t, err)
	require.NotContains(t, tenants, id)

	none, err := left.Reindex(t.Context(), nil)
	require.NoError(t, err)
	require.Zero(t, none)
	var steps []store.ReindexStep
	count, err := made.Reindex(t.Context(), func(step store.ReindexStep) { steps = append(steps, step) })
	require.NoError(t, err)
	require.Equal(t, len(records)+1, count)
	require.Equal(t, []store.ReindexStep{{Made: 1, Due: count}, {Made: 1 + madeTogether, Due: count}, {Made: count, Due: count}}, steps)
	require.Zero(t, due(made))
	found, err := made.Search(t.Context(), store.SearchQuery{Text: "the car would not start", Kinds: []memory.Kind{memory.KindEpisode}, Limit: 1})
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, "e1", found[0].Key)
	require.True(t, found[0].Parts.Compared)
	require.GreaterOrEqual(t, found[0].Parts.Meaning, matching.LeastMeaning)

	require.NoError(t, left.ConcludeEpisode(t.Context(), store.EpisodeConclusion{Key: "e1", Outcome: memory.OutcomeSuccess, Insight: new("Buy another battery")}))
	require.Equal(t, 1, due(made), "what is written anew without vectors is due again")
}

// What another table made is found by its words only, and due from the time on that this program opens the database.
func TestVectorsOfAnotherTableAreDue(t *testing.T) {
	keeper := mustConnect(t)
	name, s := "test-"+crand.Text(), storeOf(freshStore(t, keeper))
	clearAfter(t, s)
	defer runCypher[any](t, keeper, "MATCH (s:MnemeSchema {name: $name}) DELETE s", cypher.Parameters{"name": name})
	mustRecord(t, s, draft("e1"), draft("e2"))
	said := observation("o1")
	said.Observation.Content = "The vehicle failed its ignition"
	created(t)(s.RecordObservations(t.Context(), []store.ObservationRecord{said}))
	found := func() store.SearchMatch {
		t.Helper()
		all, err := s.Search(t.Context(), store.SearchQuery{Text: "the car failed to start", Kinds: []memory.Kind{memory.KindObservation}, Limit: 1, Neighbours: true})
		require.NoError(t, err)
		require.Len(t, all, 1, "the word failed is there")
		return all[0]
	}
	due := func(s *tenantStore) int {
		t.Helper()
		n, err := s.DueVectors(t.Context())
		require.NoError(t, err)
		return n
	}
	before := found()
	require.True(t, before.Parts.Compared)
	reopened := func() *tenantStore {
		t.Helper()
		backend, err := connect(t, name)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
		return backend.bind(s.TenantID)
	}
	reopened()
	require.Equal(t, []string{meaning.Name}, runCypher[string](t, keeper, "MATCH (s:MnemeSchema {name: $name}) RETURN s.meaningModel", cypher.Parameters{"name": name}))

	values := cypher.Parameters{"tenant": s.TenantID, "name": name}
	runCypher[any](t, keeper, "MATCH (n:Episode|Observation {tenant: $tenant}) WHERE n.key <> 'e2' SET n.meaningModel = 'older'", values)
	runCypher[any](t, keeper, "MATCH (s:MnemeSchema {name: $name}) SET s.meaningModel = 'older'", values)
	require.False(t, found().Parts.Compared, "two tables have nothing in common")
	require.Zero(t, due(s))
	after := reopened()
	require.Equal(t, 2, due(after))
	made, err := after.Reindex(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, 2, made)
	require.Zero(t, due(after))
	require.Equal(t, before, found())
	requireSound(t, s)

	runCypher[any](t, keeper, "MATCH (n {tenant: $tenant}) REMOVE n.meaningModel", values) // as version 17 left it
	runCypher[any](t, keeper, "MATCH (s:MnemeSchema {name: $name}) SET s.version = 17 REMOVE s.meaningModel", values)
	require.Zero(t, due(reopened()), "the first table had no name yet")
	require.Equal(t, before, found())
}

// What version 15 left is found by its words, and gets its vectors afterwards.
func TestDataOfVersion15GetsVectorsAfterwards(t *testing.T) {
	keeper := mustConnect(t)
	name, s := "test-"+crand.Text(), storeOf(freshStore(t, keeper))
	defer runCypher[any](t, keeper, "MATCH (s:MnemeSchema {name: $name}) DELETE s", cypher.Parameters{"name": name})
	said := observation("o1")
	said.Observation.Content = "The vehicle failed its ignition"
	created(t)(s.RecordObservations(t.Context(), []store.ObservationRecord{said}))
	mustRecord(t, s, draft("e1"))
	values := cypher.Parameters{"tenant": s.TenantID, "name": name}
	runCypher[any](t, keeper, "MATCH (n {tenant: $tenant}) REMOVE n.codes, n.meant, n.meaningModel, n.meaningDue", values)
	runCypher[any](t, keeper, "CREATE (:MnemeSchema {name: $name, version: 15})", values)

	backend, err := connect(t, name)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	tenants, err := backend.Due(t.Context())
	require.NoError(t, err)
	require.Contains(t, tenants, s.TenantID)
	migrated := backend.bind(s.TenantID)
	query := store.SearchQuery{Text: "the car would not start", Kinds: []memory.Kind{memory.KindObservation}, Limit: 1}
	found, err := migrated.Search(t.Context(), query)
	require.NoError(t, err)
	require.Empty(t, found)
	made, err := migrated.Reindex(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, 2, made)
	found, err = migrated.Search(t.Context(), query)
	require.NoError(t, err)
	require.Len(t, found, 1)
	requireSound(t, migrated)
}

// topicWords are of which texts are made that mean different things.
var topicWords = strings.Fields(`refund flight luggage airport ticket passenger delay weather storm winter snow mountain river forest animal dog cat horse
	bird fish whale ocean ship harbour captain sailor rope engine car bicycle road bridge city street house kitchen bread cheese wine dinner guest friend
	family mother child school teacher lesson book library letter poem music violin concert theatre actor film camera photo colour painting museum statue
	king war soldier peace treaty law judge court crime police prison money bank loan tax market price shop customer order invoice software server error
	database network password hospital doctor nurse illness medicine heart blood bone sport football goal tennis race winner medal garden flower tree`)

func topicText(random *rand.Rand) string {
	said := make([]string, 6)
	for i := range said {
		said[i] = topicWords[random.IntN(len(topicWords))]
	}
	return strings.Join(said, " ")
}
