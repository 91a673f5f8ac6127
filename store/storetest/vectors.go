package storetest

import (
	"testing"

	"mneme/memory"
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
	m.Equal(1, m.count(store.Count(m.ctx(), m, store.AllAgents{})))
	m.Equal([]string{"e1", "e3", "e4"}, m.listed(store.EpisodeFilter{}, memory.NewestFirst))
	m.ErrorIs(m.recorded(episode("e2", at(0)).embedded(1, 2, 3, 4))[0].Err, store.ErrVectorLength)
	m.record(episode("e2", at(0)).embedded(1, 2, 3))
	m.Equal(3, m.count(m.VectorLength(m.ctx())))
}
