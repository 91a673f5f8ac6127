package storetest

import (
	"math"
	"testing"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
)

func (s suite) vectors(t *testing.T) {
	s.run(t, "the first embedding sets the tenant's length", func(m *tenant) {
		m.record(episode("e0", at(0)))
		m.Zero(m.count(m.VectorLength(m.ctx())))
		m.record(episode("e1", at(0)).embedded(1, 2, 3))
		m.Equal(3, m.count(m.VectorLength(m.ctx())))
	})
	s.run(t, "an embedding of another length is refused, and nothing of it written", vectorLengths)
	s.run(t, "the length stays when the last embedding is replaced or deleted", func(m *tenant) {
		m.record(episode("e1", at(0)).unconcluded().embedded(1, 2, 3))
		conclusion := store.EpisodeConclusion{Key: "e1", Outcome: memory.OutcomeSuccess, Embedding: []float32{1, 2}}
		m.ErrorIs(m.ConcludeEpisode(m.ctx(), conclusion), store.ErrVectorLength)
		m.remove("e1")
		m.Equal(3, m.count(m.VectorLength(m.ctx())))
		m.ErrorIs(m.recorded(episode("e2", at(0)).embedded(1, 2))[0].Err, store.ErrVectorLength)
		m.record(episode("e2", at(0)).embedded(3, 2, 1))
	})
	s.run(t, "a query of another length is refused", func(m *tenant) {
		m.record(episode("e1", at(0)).embedded(1, 2, 3).seeing("walrus"))
		for _, vector := range [][]float32{{1}, {1, 2}, {1, 2, 3, 4}} {
			_, err := m.Candidates(m.ctx(), store.RecallQuery{Text: "walrus", Embedding: vector, Limit: 5})
			m.ErrorIs(err, store.ErrVectorLength)
		}
	})
	s.run(t, "a query before the first embedding is answered by words", func(m *tenant) {
		m.record(episode("e1", at(0)).seeing("walrus"), episode("e2", at(1)).seeing("giraffe"))
		hits := m.hits(store.RecallQuery{Text: "walrus", Embedding: []float32{1, 2}})
		m.Equal([]string{"e1"}, keysOfHits(hits))
		m.Len(m.hits(store.RecallQuery{Embedding: []float32{1, 2}}), 2)
	})
	s.run(t, "cosines are exact", cosines)
	s.run(t, "only a cosine above 0 makes a candidate", func(m *tenant) {
		m.record(
			episode("same", at(0)).embedded(2, 0), episode("orthogonal", at(1)).embedded(0, 5), episode("opposite", at(2)).embedded(-1, 0),
			episode("none", at(3)),
		)
		m.Equal([]string{"same"}, keysOfHits(m.hits(store.RecallQuery{Embedding: []float32{3, 0}})))
		hits := m.hits(store.RecallQuery{Embedding: []float32{-1, 0}, Filter: store.EpisodeFilter{Until: new(at(2))}})
		m.Len(hits, 2, "where none is above 0, the newest of all")
		m.InDelta(-1, hits["same"].Match.Meaning, 1e-6, "with their cosines")
	})
	s.run(t, "embeddings of a common length are kept to the last number", longVectors)
}

func vectorLengths(m *tenant) {
	recorded := m.recorded(
		episode("e1", at(0)).embedded(1, 2, 3), episode("e2", at(0)).in("s").by("eve").embedded(1, 2),
		episode("e3", at(0)).embedded(4, 5, 6), episode("e4", at(0)),
	)
	for i, want := range []bool{true, false, true, true} {
		m.Equal(want, recorded[i].Created, i)
	}
	m.ErrorIs(recorded[1].Err, store.ErrVectorLength)
	m.Nil(m.find("e2", 0, nil))
	m.False(m.hasSession("s"))
	m.Equal(1, m.count(m.CountAgents(m.ctx())))
	m.Equal([]string{"e1", "e3", "e4"}, m.listed(store.EpisodeFilter{}, store.NewestFirst))
	m.ErrorIs(m.recorded(episode("e2", at(0)).embedded(1, 2, 3, 4))[0].Err, store.ErrVectorLength)
	m.record(episode("e2", at(0)).embedded(1, 2, 3))
	m.Equal(3, m.count(m.VectorLength(m.ctx())))
}

func cosines(m *tenant) {
	vectors := map[string][]float32{
		"same": {1, 2, 3}, "scaled": {1000, 2000, 3000}, "tiny": {1e-6, 2e-6, 3e-6}, "near": {1, 2, 3.1}, "far": {3, -1, 1},
		"opposite": {-1, -2, -3}, "axis": {0, 0, 1},
	}
	for key, vector := range vectors {
		m.record(episode(key, at(0)).seeing("walrus").embedded(vector...))
	}
	query := []float32{1, 2, 3}
	hits := m.hits(store.RecallQuery{Text: "walrus", Embedding: query})
	m.Len(hits, len(vectors))
	for key, vector := range vectors {
		m.InDelta(matching.Cosine(query, vector), hits[key].Match.Meaning, 1e-6, key)
		m.LessOrEqual(math.Abs(hits[key].Match.Meaning), 1.0, key)
	}
}

func longVectors(m *tenant) {
	wave := func(phase float64) []float32 {
		v := make([]float32, 1536)
		for i := range v {
			v[i] = float32(math.Sin(phase + float64(i)*0.37))
		}
		return v
	}
	for i, key := range []string{"a", "b", "c", "d"} {
		m.record(episode(key, at(0)).embedded(wave(float64(i) / 3)...))
	}
	hits := m.hits(store.RecallQuery{Embedding: wave(0)})
	for i, key := range []string{"a", "b", "c", "d"} {
		m.InDelta(matching.Cosine(wave(0), wave(float64(i)/3)), hits[key].Match.Meaning, 1e-6, key)
	}
}
