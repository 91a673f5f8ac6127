package storetest

import (
	"fmt"
	"testing"
	"time"

	"mneme/memory"
	"mneme/store"
)

// refined is a refinement on its way to the store.
type refined struct{ store.ConceptRefinement }

func refinement(key string, when time.Time) refined {
	return refined{store.ConceptRefinement{Key: key, Receipt: noReceipt, At: when}}
}

func (r refined) saying(content string) refined { r.Content = &content; return r }
func (r refined) labelled(labels ...string) refined {
	labels = append([]string{}, labels...)
	r.Labels = &labels
	return r
}

// refine refines a concept that is there.
func (m *tenant) refine(r refined) {
	m.t.Helper()
	m.NoError(m.RefineConcept(m.ctx(), r.ConceptRefinement))
}

func (s suite) refinements(t *testing.T) {
	s.run(t, "what the concept said becomes a revision", refineKeepsRevisions)
	s.run(t, "what is not given stays", func(m *tenant) {
		m.remember(memoir("m"))
		m.learn(concept("c1").saying("before").labelled("a"))
		m.refine(refinement("c1", at(2)).labelled())
		found := m.concept("c1")
		m.Equal("before", found.Content)
		m.Equal([]string{}, found.Labels)
		m.refine(refinement("c1", at(3)).saying("after"))
		found = m.concept("c1")
		m.Equal("after", found.Content)
		m.Equal([]string{}, found.Labels)
		m.Len(found.Revisions, 2)
	})
	s.run(t, "a refinement that changes nothing keeps no revision", refineNothing)
	s.run(t, "an unknown concept is not found", func(m *tenant) {
		m.ErrorIs(m.RefineConcept(m.ctx(), refinement("c1", at(2)).saying("x").ConceptRefinement), store.ErrNotFound)
	})
	s.run(t, "refinements at once each keep what the one before said", refineTogether)
}

func refineKeepsRevisions(m *tenant) {
	m.remember(memoir("m"))
	m.learn(concept("c1").named("Refund").saying("first").labelled("a", "b"), concept("c2"))
	receipt := memory.Receipt{TokensBefore: 5, TokensAfter: 4, Redactions: []memory.Redaction{{Kind: "private", Count: 1}}}
	second := refinement("c1", at(5)).saying("second").labelled("c")
	second.Receipt = receipt
	m.refine(second)
	m.refine(refinement("c1", at(7)).saying("third"))
	want := concept("c1").named("Refund").saying("third").labelled("c").Concept
	want.UpdatedAt = at(7)
	want.Revisions = []memory.ConceptRevision{
		{Content: "first", Labels: []string{"a", "b"}, At: at(1)},
		{Content: "second", Labels: []string{"c"}, At: at(5)},
	}
	m.Equal(&want, m.concept("c1"))
	m.Equal(concept("c2").read(), m.concept("c2"))
	listed, _, err := m.ListConcepts(m.ctx(), "m", everything)
	m.NoError(err)
	m.Equal(&want, listed[0])
}

func refineNothing(m *tenant) {
	m.remember(memoir("m"))
	m.learn(concept("c1").saying("same").labelled("a"))
	before := m.concept("c1")
	for _, nothing := range []refined{
		refinement("c1", at(9)),
		refinement("c1", at(9)).saying("same"),
		refinement("c1", at(9)).labelled("a"),
	} {
		m.refine(nothing)
		m.Equal(before, m.concept("c1"))
	}
	m.refine(refinement("c1", at(9)).labelled("A"))
	m.Len(m.concept("c1").Revisions, 1)
}

func refineTogether(m *tenant) {
	m.remember(memoir("m"))
	m.learn(concept("c1").saying("start"))
	const writers = 8
	m.together(writers, func(i int) error {
		return m.RefineConcept(m.ctx(), refinement("c1", at(10)).saying(fmt.Sprint(i)).ConceptRefinement)
	})
	found := m.concept("c1")
	said := map[string]bool{found.Content: true}
	for _, revision := range found.Revisions {
		said[revision.Content] = true
	}
	m.Len(found.Revisions, writers)
	m.Len(said, writers+1, "nothing that it said is lost")
	m.Equal("start", found.Revisions[0].Content)
}
