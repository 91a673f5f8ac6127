package neo4j

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
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
