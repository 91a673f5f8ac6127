package neo4j

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/memory/ranking"
	"mneme/store"
)

// flood is how many records another tenant has of just what is asked for: more than the index of vectors is asked for.
const flood = 1500

// byParts calls record for parts of so many that a write takes them.
func byParts(count int, record func(from, to int)) {
	for from := 0; from < count; from += 250 {
		record(from, min(from+250, count))
	}
}

// A tenant of many records finds those that mean what it asks for, though another has many that are nearer.
func TestMeaningsAreNotHiddenByOthers(t *testing.T) {
	backend := mustConnect(t)
	backend.exactLimit = 20 // and so of 100 all are compared, where others have many
	ours, theirs := storeOf(freshStore(t, backend)), storeOf(freshStore(t, backend))
	clearAfter(t, ours)
	clearAfter(t, theirs)
	const situation, said = "the car would not start", "The vehicle failed its ignition"
	random := rand.New(rand.NewPCG(2, 16))
	record := func(s *tenantStore, count int, text func(i int) string) {
		byParts(count, func(from, to int) {
			var observations []store.ObservationRecord
			var episodes []store.EpisodeRecord
			for i := from; i < to; i++ {
				one := observation(fmt.Sprintf("o%04d", i))
				one.Observation.Content = text(i)
				observations = append(observations, one)
				episodes = append(episodes, draft(fmt.Sprintf("e%04d", i), func(r *store.EpisodeRecord) {
					r.Episode.Title, r.Episode.Observation, r.Episode.Insight = text(i), text(i), ""
				}))
			}
			created(t)(s.RecordObservations(t.Context(), observations))
			mustRecord(t, s, episodes...)
		})
	}
	texts := make([]string, 130)
	for i := range texts {
		texts[i] = topicText(random)
	}
	texts[77] = said
	record(ours, len(texts), func(i int) string { return texts[i] })
	finds := func() {
		t.Helper()
		found, err := ours.Search(t.Context(), store.SearchQuery{Text: situation, Kinds: []memory.Kind{memory.KindObservation}, Limit: 40})
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(found, func(m store.SearchMatch) bool { return m.Key == "o0077" && m.Parts.Meaning >= matching.LeastMeaning }))
		recalled, err := ours.Candidates(t.Context(), store.RecallQuery{Text: situation, Limit: 10, Weights: ranking.DefaultWeights, Now: minute(200)})
		require.NoError(t, err)
		meant := map[string]float64{}
		for _, item := range recalled.Items {
			meant[item.Key] = item.Match.Meaning
		}
		require.GreaterOrEqual(t, meant["e0077"], matching.LeastMeaning)
	}
	finds()
	record(theirs, flood, func(int) string { return situation })
	finds()
}

// So it is with vectors that callers give.
func TestVectorsAreNotHiddenByOthers(t *testing.T) {
	backend := mustConnect(t)
	backend.exactLimit = 20
	ours, theirs := freshStore(t, backend), freshStore(t, backend)
	fan(t, ours, 120)
	finds := func(filter store.EpisodeFilter, wanted ...string) {
		t.Helper()
		found, err := ours.Candidates(t.Context(), store.RecallQuery{Embedding: around(-20), Limit: 60, Top: 3, Filter: filter, Weights: ranking.Weights{Semantic: 1}, Now: minute(200)})
		require.NoError(t, err)
		keys := map[string]bool{}
		for _, item := range found.Items {
			keys[item.Key] = true
		}
		for _, key := range wanted {
			require.True(t, keys[key], key)
		}
	}
	finds(store.EpisodeFilter{}, "e000", "e001", "e002")
	random := rand.New(rand.NewPCG(3, 16))
	beside := func() []float32 { // nearer than any of ours
		off := func() float32 { return (random.Float32() - 0.5) / 100 }
		v := around(-20)
		for i := range v {
			v[i] += off()
		}
		return v
	}
	byParts(flood, func(from, to int) {
		var records []store.EpisodeRecord
		for i := from; i < to; i++ {
			records = append(records, draft(fmt.Sprintf("e%04d", i), func(r *store.EpisodeRecord) { r.Episode.Embedding = beside() }))
		}
		mustRecord(t, theirs, records...)
	})
	finds(store.EpisodeFilter{}, "e000", "e001", "e002")
	finds(store.EpisodeFilter{Agent: new("agent 1")}, "e001", "e003", "e005")
}

// What passes a search's filter is found by what it means, though the tenant has many that are nearer and do not pass.
func TestMeaningsWithinAFilterAreNotHidden(t *testing.T) {
	backend := mustConnect(t)
	backend.exactLimit = 20
	s := storeOf(freshStore(t, backend))
	clearAfter(t, s)
	const situation, said = "the car would not start", "The vehicle failed its ignition"
	byParts(flood, func(from, to int) {
		var observations []store.ObservationRecord
		for i := from; i < to; i++ {
			one := observation(fmt.Sprintf("o%04d", i))
			one.Observation.SessionKey, one.Observation.Content = new("large"), situation
			if i == 77 {
				one.Observation.SessionKey, one.Observation.Content = new("small"), said
			}
			observations = append(observations, one)
		}
		created(t)(s.RecordObservations(t.Context(), observations))
	})
	for _, neighbours := range []bool{false, true} {
		found, err := s.Search(t.Context(), store.SearchQuery{
			Text: situation, Kinds: []memory.Kind{memory.KindObservation}, Session: new("small"), Neighbours: neighbours, Limit: 10,
		})
		require.NoError(t, err)
		require.Len(t, found, 1)
		require.Equal(t, "o0077", found[0].Key)
		require.GreaterOrEqual(t, found[0].Parts.Meaning, matching.LeastMeaning)
	}
}
