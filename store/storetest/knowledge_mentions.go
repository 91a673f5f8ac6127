package storetest

import (
	"fmt"
	"testing"

	"mneme/memory"
)

func (s suite) mentions(t *testing.T) {
	s.run(t, "an episode's concepts come by name and key, each once", func(m *tenant) {
		m.remember(memoir("m"), memoir("n"))
		m.learn(concept("c1").named("b"), concept("c2").named("a"), concept("c4").of("n").named("b"), concept("c3"))
		m.record(episode("e1", at(0)).mentioning("c4", "c1", "c2", "c1"), episode("e2", at(0)).mentioning("c3"), episode("e3", at(0)))
		m.Equal([]string{"c2", "c1", "c4"}, m.mentioned("e1"))
		found, err := m.Mentioned(m.ctx(), []string{"e2", "e1", "e3", "none", "e2"})
		m.NoError(err)
		m.Equal([]*memory.Concept{concept("c3").read()}, found["e2"])
		m.Len(found["e1"], 3)
		m.Empty(found["e3"])
		m.Empty(found["none"])
	})
	s.run(t, "a mention waits for its concept", func(m *tenant) {
		m.remember(memoir("m"))
		m.learn(concept("c0"))
		m.record(episode("e1", at(0)).mentioning("c1", "c0", "c2"), episode("e2", at(0)).mentioning("c1"))
		m.Equal([]string{"c0"}, m.mentioned("e1"))
		m.learned(concept("c1").of("nowhere"))
		m.Empty(m.mentioned("e2"), "a concept that was not written is none")
		m.learn(concept("c1"), concept("c3"))
		m.Equal([]string{"c0", "c1"}, m.mentioned("e1"))
		m.Equal([]string{"c1"}, m.mentioned("e2"))
		m.learn(concept("c2"))
		m.Equal([]string{"c0", "c1", "c2"}, m.mentioned("e1"))
	})
	s.run(t, "an episode of a concept's key is another record", func(m *tenant) {
		m.remember(memoir("m"))
		m.record(episode("e1", at(0)).mentioning("x"), episode("x", at(0)))
		m.Empty(m.mentioned("e1"))
		m.learn(concept("x"))
		m.Equal([]string{"x"}, m.mentioned("e1"))
	})
	s.run(t, "the concept stays when the episode goes", func(m *tenant) {
		m.remember(memoir("m"))
		m.learn(concept("c1"))
		m.record(episode("e1", at(0)).mentioning("c1", "c2"))
		m.remove("e1")
		m.Equal(concept("c1").read(), m.concept("c1"))
		m.record(episode("e1", at(0)))
		m.learn(concept("c2"))
		m.Empty(m.mentioned("e1"), "what a deleted episode waited for is forgotten")
	})
	s.run(t, "what arrives together is linked", func(m *tenant) {
		m.remember(memoir("m"))
		for round := range 6 {
			key, mentioned := fmt.Sprint("e", round), fmt.Sprint("c", round)
			m.together(2, func(i int) error {
				if (i+round)%2 == 0 {
					return m.recordErr(episode(key, at(0)).mentioning(mentioned))
				}
				return fault(m.AddConcepts(m.ctx(), conceptRecords([]conceptDraft{concept(mentioned)})))
			})
			m.Equal([]string{mentioned}, m.mentioned(key))
		}
	})
}
