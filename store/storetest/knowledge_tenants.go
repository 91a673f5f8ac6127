package storetest

import (
	"testing"

	"mneme/memory"
	"mneme/store"
)

func (s suite) knowingTenants(t *testing.T) {
	t.Run("tenants know nothing of each other", func(t *testing.T) {
		backend := s.open(t)
		mine, theirs := bind(t, backend, randomTenant()), bind(t, backend, randomTenant())
		recordEveryLink(mine)
		theirs.observe(observation("stranger", at(0)).about("concept:p", "episode:e"))
		theirs.record(episode("stranger", at(0)).mentioning("p"))
		knowsNothing(theirs)
		theirs.remember(memoir("m"))
		theirs.learn(concept("p").saying("theirs"))
		mine.Equal("Content of p", mine.concept("p").Content)
		mine.NotContains(mine.neighbours(store.AdjacencyQuery{Of: []string{"concept:p"}}), "observation:stranger")
		theirs.Equal([]string{"concept:p"}, theirs.observation("stranger").About)
		theirs.Zero(theirs.count(theirs.PruneObservations(theirs.ctx(), store.Pruning{Now: at(0), MinWeight: 0.1})))
		theirs.Equal(1, theirs.count(theirs.PruneObservations(theirs.ctx(), store.Pruning{Now: at(0), MinWeight: 2})))
		mine.observation("o")
	})
	s.run(t, "a tenant that was never written to knows nothing", func(m *tenant) {
		m.Empty(m.neighbours(store.AdjacencyQuery{Of: []string{"agent:agent"}}))
		m.Empty(m.searched(anywhere("content")))
		m.Zero(m.count(m.CountObservations(m.ctx(), store.ObservationQuery{})))
		m.Zero(m.count(m.CountCorrections(m.ctx(), nil)))
		m.Zero(m.count(m.CountMemoirs(m.ctx())))
		m.NoError(m.AddAccesses(m.ctx(), []store.Access{{Key: "o", Count: 1, At: at(0)}}))
		m.Zero(m.count(m.PruneObservations(m.ctx(), store.Pruning{Now: at(0), MinWeight: 1})))
	})
}

// knowsNothing checks a tenant that has not what recordEveryLink makes.
func knowsNothing(m *tenant) {
	m.t.Helper()
	memoirs, err := m.Memoirs(m.ctx(), []string{"m"})
	m.NoError(err)
	m.Nil(memoirs[0])
	byName, err := m.MemoirByName(m.ctx(), "Name of m")
	m.NoError(err)
	m.Nil(byName)
	concepts, err := m.Concepts(m.ctx(), []string{"p"})
	m.NoError(err)
	m.Nil(concepts[0])
	observations, err := m.Observations(m.ctx(), []string{"o"})
	m.NoError(err)
	m.Nil(observations[0])
	corrections, err := m.Corrections(m.ctx(), []string{"x"})
	m.NoError(err)
	m.Nil(corrections[0])
	m.Zero(m.count(m.CountMemoirs(m.ctx())))
	m.Zero(m.count(m.CountConcepts(m.ctx(), "m")))
	m.Zero(m.count(m.CountCorrections(m.ctx(), nil)))
	m.Empty(m.related("p", store.Both))
	m.Empty(m.mentioned("e"))
	_, err = m.LinkConcepts(m.ctx(), relates("p", memory.RelationPartOf, "q"))
	m.ErrorIs(err, store.ErrNotFound)
	removed, err := m.UnlinkConcepts(m.ctx(), relates("p", memory.RelationPartOf, "q"))
	m.NoError(err)
	m.False(removed)
	m.Equal([]bool{false, false, false}, m.exist("concept:p", "memoir:m", "session:s"))
	m.Empty(m.neighbours(store.AdjacencyQuery{Of: []string{"concept:p", "memoir:m", "agent:ada"}}))
	m.Empty(m.between([]string{"concept:p"}, []string{"concept:q"}, nil))
	m.ElementsMatch([]string{"episode:stranger", "observation:stranger"}, m.matches(anywhere("content observation")))
}
