package neo4j

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/storetest"
)

// around is a direction, by its angle in degrees from the first axis, in a plane of a space of its own length.
func around(degrees int) []float32 {
	sin, cos := math.Sincos(float64(degrees) * math.Pi / 180)
	return []float32{float32(cos), float32(sin), 0, 0, 0}
}

// fan records episodes whose vectors open like a fan, a degree each; the newest is the farthest.
func fan(t *testing.T, tenant store.Store, count int) {
	t.Helper()
	var records []store.EpisodeRecord
	for i := range count {
		records = append(records, draft(fmt.Sprintf("e%03d", i), func(r *store.EpisodeRecord) {
			r.Episode.Embedding, r.Episode.StartedAt, r.Episode.AgentKey = around(i), minute(i), fmt.Sprintf("agent %d", i%2)
		}))
	}
	mustRecord(t, tenant, records...)
}

// nearest asks for what is nearest to the first axis, and checks every cosine.
func nearest(t *testing.T, tenant store.Store, filter store.EpisodeFilter, limit int) (near map[string]ranking.Candidate, approximate bool) {
	t.Helper()
	return nearestBy(t, tenant, ranking.DefaultWeights, filter, limit)
}

func nearestBy(t *testing.T, tenant store.Store, weights ranking.Weights, filter store.EpisodeFilter, limit int) (near map[string]ranking.Candidate, approximate bool) {
	t.Helper()
	found, err := tenant.Candidates(t.Context(), store.RecallQuery{Embedding: around(0), Limit: limit, Filter: filter, Weights: weights, Now: minute(200)})
	require.NoError(t, err)
	byKey := map[string]ranking.Candidate{}
	for _, item := range found.Items {
		byKey[item.Key] = item
		var i int
		_, err := fmt.Sscanf(item.Key, "e%d", &i)
		require.NoError(t, err)
		require.InDelta(t, math.Cos(float64(i)*math.Pi/180), item.Match.Meaning, 1e-6, "cosines are exact whatever found them")
	}
	return byKey, found.Approximate
}

// Where there are too many episodes to compare, the vector index finds the nearest, of all tenants;
// what is another tenant's or does not pass the filter is left out, and the rest is bounded.
func TestManyVectorsAreSearchedByIndex(t *testing.T) {
	var sent []string
	backend := mustConnect(t)
	backend.connection.Observer = storetest.Told(func(name string) { sent = append(sent, name) })
	backend.exactLimit = 40
	ours, theirs := freshStore(t, backend), freshStore(t, backend)
	fan(t, ours, 120)
	fan(t, theirs, 30)

	sent = nil
	found, approximate := nearestBy(t, ours, ranking.Weights{Temporal: 1, HalfLifeDays: 0.01}, store.EpisodeFilter{}, 10)
	require.Equal(t, []string{"sample", "recall"}, sent)
	require.Contains(t, found, "e089", "the newest that is near at all")
	require.True(t, approximate)

	sent = nil
	found, _ = nearest(t, ours, store.EpisodeFilter{Agent: new("agent 1")}, 10)
	require.Equal(t, []string{"recall"}, sent)
	require.NotContains(t, found, "e000", "the filter comes first")

	found, _ = nearest(t, ours, store.EpisodeFilter{}, 500)
	require.Contains(t, found, "e000", "the index finds what is nearest, among the vectors of all tenants")

	sent = nil
	found, approximate = nearest(t, theirs, store.EpisodeFilter{}, 100)
	require.Equal(t, []string{"sample", "recall"}, sent, "few are compared one by one")
	require.Len(t, found, 30)
	require.False(t, approximate)
}

// What began after the instant that a recall is as of is not even looked at.
func TestARecallAsOfAnInstantReadsNothingLater(t *testing.T) {
	const before, after = 60, 1200
	backend := mustConnect(t)
	backend.exactLimit = 5
	tenant := freshStore(t, backend)
	clearAfter(t, storeOf(tenant))
	fan(t, tenant, before)
	byParts(after, func(from, to int) {
		var records []store.EpisodeRecord
		for i := from; i < to; i++ {
			records = append(records, draft(fmt.Sprintf("later %04d", i), func(r *store.EpisodeRecord) { r.Episode.StartedAt = minute(before + i) }))
		}
		mustRecord(t, tenant, records...)
	})
	s := storeOf(tenant)
	asOf := minute(before)
	q := sentBy(s, func() {
		found, err := s.Candidates(t.Context(), store.RecallQuery{Embedding: around(0), Limit: 100, Top: 5, AsOf: &asOf, Now: asOf})
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(found.Items, func(c ranking.Candidate) bool { return c.Key == "e000" }))
		require.False(t, slices.ContainsFunc(found.Items, func(c ranking.Candidate) bool { return c.StartedAt.After(asOf) }))
	})
	require.Equal(t, "recall", q.Name)
	rows, steps := most(profile(t, s, q))
	require.LessOrEqual(t, rows, int64(4*before), steps)
}
