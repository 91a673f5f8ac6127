package storetest

import (
	"testing"

	"mneme/memory"
	"mneme/store"
)

func (s suite) concepts(t *testing.T) {
	s.run(t, "every field comes back", conceptFields)
	s.run(t, "texts come back byte for byte", conceptTexts)
	s.run(t, "revisions are not taken over", func(m *tenant) {
		m.remember(memoir("m"))
		d := concept("c1")
		d.Concept.Revisions = []memory.ConceptRevision{{Content: "before", Labels: []string{}, At: at(0)}}
		m.learn(d)
		m.Equal(concept("c1").read(), m.concept("c1"))
	})
	s.run(t, "the same content again is the same concept, also after a refinement", func(m *tenant) {
		m.remember(memoir("m"))
		m.learn(concept("c1"))
		m.refine(refinement("c1", at(5)).saying("other"))
		again := m.learned(concept("c1"))
		m.NoError(again[0].Err)
		m.False(again[0].Created)
		m.Equal("other", m.concept("c1").Content)
	})
	s.run(t, "a concept without its memoir is not found", func(m *tenant) {
		m.remember(memoir("m"))
		recorded := m.learned(concept("c1").of("M"), concept("c2"))
		m.ErrorIs(recorded[0].Err, store.ErrNotFound)
		m.False(recorded[0].Created)
		m.NoError(recorded[1].Err)
		m.Equal(1, m.count(m.CountConcepts(m.ctx(), "m")))
		m.remember(memoir("M"))
		m.Zero(m.count(m.CountConcepts(m.ctx(), "M")))
	})
	s.run(t, "a taken key or name is a conflict that keeps no other from being written", conceptConflicts)
	s.run(t, "names are unique within a memoir, byte by byte", func(m *tenant) {
		m.remember(memoir("m"), memoir("n"))
		for i, name := range awkwardKeys {
			key := string(rune('A' + i))
			m.learn(concept(key).named(name), concept(key+"'").of("n").named(name))
		}
	})
	s.run(t, "concepts come in the order of the keys, nil where there is none", func(m *tenant) {
		m.remember(memoir("m"))
		m.learn(concept("a"), concept("b"))
		found, err := m.Concepts(m.ctx(), []string{"b", "none", "a", "b"})
		m.NoError(err)
		a, b := concept("a").read(), concept("b").read()
		m.Equal([]*memory.Concept{b, nil, a, b}, found)
		found, err = m.Concepts(m.ctx(), nil)
		m.NoError(err)
		m.Equal([]*memory.Concept{}, found)
	})
	s.run(t, "a memoir's concepts are listed by name, in pages", conceptPages)
}

func conceptFields(m *tenant) {
	m.remember(memoir("m"), memoir("other"))
	full := concept("c1").of("other").named("Refund policy").saying("Refunds take a week.").labelled("policy", "b", "a", "policy")
	full.Concept.Receipt = memory.Receipt{
		TokensBefore: 9, TokensAfter: 7, Redactions: []memory.Redaction{{Kind: "private", Count: 2}},
	}
	full.Concept.UpdatedAt = at(3)
	m.learn(full, concept("c2"))
	m.Equal(&full.Concept, m.concept("c1"))
	m.Equal(concept("c2").read(), m.concept("c2"))
}

func conceptTexts(m *tenant) {
	m.remember(memoir("m"))
	for i, text := range awkwardTexts {
		key := string(rune('a' + i))
		d := concept(key).saying(text).labelled(text, text)
		if text != "" {
			d = d.named(text)
		}
		m.learn(d)
		m.Equal(&d.Concept, m.concept(key), "%q", text)
		m.refine(refinement(key, at(9)).saying("x").labelled())
		m.Equal([]memory.ConceptRevision{{Content: text, Labels: []string{text, text}, At: at(1)}}, m.concept(key).Revisions)
	}
}

func conceptConflicts(m *tenant) {
	m.remember(memoir("m"), memoir("other"))
	m.learn(concept("c1").named("Refund"))
	recorded := m.learned(
		concept("c1").named("Flight"), concept("c2").named("Refund"), concept("c3").named("refund"),
		concept("c4").named("refund"), concept("c5").of("other").named("Refund"), concept("c1").of("other").named("Seat"),
	)
	for i, want := range []error{store.ErrConflict, store.ErrConflict, nil, store.ErrConflict, nil, store.ErrConflict} {
		m.ErrorIs(recorded[i].Err, want, i)
		m.Equal(want == nil, recorded[i].Created, i)
	}
	m.Equal("Refund", m.concept("c1").Name)
	m.Equal("m", m.concept("c1").MemoirKey)
	m.Equal(2, m.count(m.CountConcepts(m.ctx(), "m")))
	m.Equal(1, m.count(m.CountConcepts(m.ctx(), "other")))
}

func conceptPages(m *tenant) {
	m.remember(memoir("m"), memoir("other"))
	m.learn(concept("another").of("other"))
	var drafts []conceptDraft
	for i, name := range awkwardKeys {
		drafts = append(drafts, concept(string(rune('Z'-i))).named(name))
	}
	m.learn(drafts...)
	m.Equal(len(drafts), m.count(m.CountConcepts(m.ctx(), "m")))
	for _, limit := range []int{1, 7, len(drafts), len(drafts) + 1} {
		walked := walk(m, limit, func(page store.Page) ([]*memory.Concept, bool, error) {
			return m.ListConcepts(m.ctx(), "m", page)
		}, func(found *memory.Concept) store.Position { return store.Position{Key: found.Name} })
		m.Equal(byBytes, keysOf(walked, func(found *memory.Concept) string { return found.Name }), "pages of %d", limit)
	}
	listed, more, err := m.ListConcepts(m.ctx(), "nowhere", everything)
	m.NoError(err)
	m.False(more)
	m.Equal([]*memory.Concept{}, listed)
	m.Zero(m.count(m.CountConcepts(m.ctx(), "nowhere")))
}
