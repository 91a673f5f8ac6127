package storetest

import (
	"fmt"
	"slices"
	"testing"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/store"
)

func (s suite) prunes(t *testing.T) {
	s.run(t, "critical and high are never pruned", func(m *tenant) {
		for _, importance := range memory.Importances {
			m.observe(observation(string(importance), at(0)).weighing(importance))
			m.access(string(importance), 1_000_000, 1)
		}
		for _, policy := range decay.Policies {
			pruning := store.Pruning{Policy: policy, Now: at(9_000_000), MinWeight: 2, DryRun: true}
			m.Equal(2, m.count(m.PruneObservations(m.ctx(), pruning)))
		}
		m.Equal(2, m.count(m.PruneObservations(m.ctx(), store.Pruning{Now: at(9_000_000), MinWeight: 2})))
		m.observation(string(memory.ImportanceCritical))
		m.observation(string(memory.ImportanceHigh))
	})
	s.run(t, "what weighs exactly as much stays", func(m *tenant) {
		m.observe(observation("medium", at(0)), observation("low", at(0)).weighing(memory.ImportanceLow))
		m.Zero(m.count(m.PruneObservations(m.ctx(), store.Pruning{Now: at(0), MinWeight: 0.2})))
		m.Equal(1, m.count(m.PruneObservations(m.ctx(), store.Pruning{Now: at(0), MinWeight: 0.5})))
		m.observation("medium")
	})
	s.run(t, "more than a part is pruned whole", func(m *tenant) {
		const many = 1100
		drafts := make([]observationDraft, many)
		for i := range drafts {
			drafts[i] = observation(fmt.Sprint("o", i), at(i)).weighing(memory.ImportanceLow).in("s")
		}
		for part := range slices.Chunk(drafts, 100) {
			m.observe(part...)
		}
		m.observe(observation("kept", at(0)))
		m.Equal(many, m.count(m.PruneObservations(m.ctx(), store.Pruning{Now: at(many), MinWeight: 0.3})))
		m.False(m.hasSession("s"))
		m.observation("kept")
	})
	s.run(t, "a pruned observation leaves no link, word or session behind", pruneLeavesNothing)
}

func pruneLeavesNothing(m *tenant) {
	m.record(episode("e1", at(0)).in("both"))
	low := func(key string) observationDraft {
		return observation(key, at(1)).weighing(memory.ImportanceLow).saying("walrus")
	}
	m.observe(
		low("o1").in("alone").about("episode:e1", "episode:later", "observation:o2"), low("o2").in("both"),
		observation("o3", at(2)).saying("a walrus among other words").about("observation:o1", "observation:o2"),
	)
	m.Equal([]string{"observation:o1", "observation:o2"}, m.observation("o3").About)
	m.Equal(2, m.count(m.PruneObservations(m.ctx(), store.Pruning{Now: at(2), MinWeight: 0.3})))

	m.False(m.hasSession("alone"))
	m.True(m.hasSession("both"))
	m.Equal([]string{}, m.observation("o3").About)
	m.Equal([]string{"observation:o3"}, m.matches(store.SearchQuery{Text: "walrus", Kinds: []memory.Kind{memory.KindObservation}}))
	m.Equal([]bool{false, false, true}, m.exist("observation:o1", "observation:o2", "observation:o3"))
	m.Equal([]string{"agent:agent", "session:both"}, m.neighbours(store.AdjacencyQuery{Of: []string{"episode:e1"}}))
	m.record(episode("later", at(5)))
	m.observe(observation("o1", at(9)))
	m.Equal([]string{}, m.observation("o1").About)
	m.Equal([]string{}, m.observation("o3").About, "what was pruned is not waited for")
}
