package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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
		m.Equal(1, m.count(store.Count(m.ctx(), m, store.ConceptsOf{Memoir: "m"})))
		m.remember(memoir("M"))
		m.Zero(m.count(store.Count(m.ctx(), m, store.ConceptsOf{Memoir: "M"})))
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
		found, err := store.Get[memory.Concept](m.ctx(), m, []string{"b", "none", "a", "b"})
		m.NoError(err)
		a, b := concept("a").read(), concept("b").read()
		m.Equal([]*memory.Concept{b, nil, a, b}, found)
		found, err = store.Get[memory.Concept](m.ctx(), m, nil)
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
	m.Equal(2, m.count(store.Count(m.ctx(), m, store.ConceptsOf{Memoir: "m"})))
	m.Equal(1, m.count(store.Count(m.ctx(), m, store.ConceptsOf{Memoir: "other"})))
}

func conceptPages(m *tenant) {
	m.remember(memoir("m"), memoir("other"))
	m.learn(concept("another").of("other"))
	var drafts []conceptDraft
	for i, name := range awkwardKeys {
		drafts = append(drafts, concept(string(rune('Z'-i))).named(name))
	}
	m.learn(drafts...)
	m.Equal(len(drafts), m.count(store.Count(m.ctx(), m, store.ConceptsOf{Memoir: "m"})))
	for _, limit := range []int{1, 7, len(drafts), len(drafts) + 1} {
		walked := walk(m, limit, func(page store.Page) ([]*memory.Concept, bool, error) {
			return store.List(m.ctx(), m, store.ConceptsOf{Memoir: "m"}, page)
		}, func(found *memory.Concept) store.Position { return store.Position{Key: found.Name} })
		m.Equal(byBytes, keysOf(walked, func(found *memory.Concept) string { return found.Name }), "pages of %d", limit)
	}
	listed, more, err := store.List(m.ctx(), m, store.ConceptsOf{Memoir: "nowhere"}, everything)
	m.NoError(err)
	m.False(more)
	m.Equal([]*memory.Concept{}, listed)
	m.Zero(m.count(store.Count(m.ctx(), m, store.ConceptsOf{Memoir: "nowhere"})))
}

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
	m.NoError(m.refining(r))
}

func (m *tenant) refining(r refined) error {
	recorded, err := store.Record(m.ctx(), m, []store.ConceptRefinement{r.ConceptRefinement})
	if err != nil {
		return err
	}
	return recorded[0].Err
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
		m.ErrorIs(m.refining(refinement("c1", at(2)).saying("x")), store.ErrNotFound)
	})
	s.run(t, "a refinement beyond what is kept of revisions changes nothing", refineBeyond)
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
	want.UpdatedAt, want.Receipt = at(7), receipt
	want.Revisions = []memory.ConceptRevision{
		{Content: "first", Labels: []string{"a", "b"}, At: at(1)},
		{Content: "second", Labels: []string{"c"}, At: at(5)},
	}
	m.Equal(&want, m.concept("c1"))
	m.Equal(concept("c2").read(), m.concept("c2"))
	listed, _, err := store.List(m.ctx(), m, store.ConceptsOf{Memoir: "m"}, everything)
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

func refineBeyond(m *tenant) {
	m.remember(memoir("m"))
	m.learn(concept("c1").saying(strings.Repeat("refund ", memory.MaxRevised/15)))
	m.refine(refinement("c1", at(5)).saying(strings.Repeat("walrus ", memory.MaxRevised/15)))
	m.refine(refinement("c1", at(6)).saying(strings.Repeat("giraffe ", memory.MaxRevised/16)))
	before := m.concept("c1")
	m.Len(before.Revisions, 2)
	m.ErrorContains(m.refining(refinement("c1", at(7)).saying("fourth")), string(memory.CodeLimitExceeded))
	m.Equal(before, m.concept("c1"))
	purging := refinement("c1", at(8)).saying("fourth")
	purging.Purge = true
	m.refine(purging)
	m.Empty(m.concept("c1").Revisions)
}

func refineTogether(m *tenant) {
	m.remember(memoir("m"))
	m.learn(concept("c1").saying("start"))
	const writers = 8
	m.together(writers, func(i int) error {
		return m.refining(refinement("c1", at(10)).saying(fmt.Sprint(i)))
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

func (s suite) memoirs(t *testing.T) {
	s.run(t, "every field comes back", func(m *tenant) {
		full := memoir("m1").named("Refunds").describing("What is known of refunds")
		m.remember(full, memoir("m2"))
		m.Equal(&full.Memoir, m.memoir("m1"))
		m.Nil(m.memoir("m2").Description)
	})
	s.run(t, "the same content again is the same memoir", func(m *tenant) {
		m.remember(memoir("m1"))
		again := m.remembered(memoir("m1"))
		m.NoError(again[0].Err)
		m.False(again[0].Created)
		m.Equal("m1", again[0].Key)
	})
	s.run(t, "a taken key or name is a conflict that keeps no other from being written", memoirConflicts)
	s.run(t, "names are told apart byte by byte", func(m *tenant) {
		for i, name := range awkwardKeys {
			m.remember(memoir(string(rune('A' + i))).named(name))
		}
		for i, name := range awkwardKeys {
			found, _, err := store.List(m.ctx(), m, store.MemoirsOf{Name: &name}, everything)
			m.NoError(err)
			m.Len(found, 1, "%q", name)
			m.Equal(string(rune('A'+i)), found[0].Key, "%q", name)
			m.Equal(1, m.count(store.Count(m.ctx(), m, store.MemoirsOf{Name: &name})))
		}
	})
	s.run(t, "no memoir has an unknown name", func(m *tenant) {
		m.remember(memoir("m1").named("Refunds"))
		for _, name := range []string{"refunds", "Refund", "m1", ""} {
			found, _, err := store.List(m.ctx(), m, store.MemoirsOf{Name: &name}, everything)
			m.NoError(err)
			m.Empty(found, name)
			m.Zero(m.count(store.Count(m.ctx(), m, store.MemoirsOf{Name: &name})))
		}
	})
	s.run(t, "memoirs come in the order of the keys, nil where there is none", func(m *tenant) {
		m.remember(memoir("a"), memoir("b"))
		found, err := store.Get[memory.Memoir](m.ctx(), m, []string{"b", "none", "a", "b"})
		m.NoError(err)
		a, b := memoir("a").read(), memoir("b").read()
		m.Equal([]*memory.Memoir{b, nil, a, b}, found)
		found, err = store.Get[memory.Memoir](m.ctx(), m, nil)
		m.NoError(err)
		m.Equal([]*memory.Memoir{}, found)
	})
	s.run(t, "memoirs are listed by name, in pages", memoirPages)
}

func memoirConflicts(m *tenant) {
	m.remember(memoir("m1").named("Refunds"))
	recorded := m.remembered(
		memoir("m1").named("Flights"), memoir("m2").named("Refunds"), memoir("m3").named("refunds"),
		memoir("m4").named("refunds"), memoir("m3").named("Seats"), memoir("m5").named("Seats"),
	)
	for i, want := range []error{store.ErrConflict, store.ErrConflict, nil, store.ErrConflict, store.ErrConflict, nil} {
		m.ErrorIs(recorded[i].Err, want, i)
		m.Equal(want == nil, recorded[i].Created, i)
	}
	m.Equal("Refunds", m.memoir("m1").Name)
	found, err := store.Get[memory.Memoir](m.ctx(), m, []string{"m2", "m4"})
	m.NoError(err)
	m.Equal([]*memory.Memoir{nil, nil}, found)
	m.Equal(3, m.count(store.Count(m.ctx(), m, store.MemoirsOf{})))
}

func memoirPages(m *tenant) {
	m.Zero(m.count(store.Count(m.ctx(), m, store.MemoirsOf{})))
	var drafts []memoirDraft
	for i, name := range awkwardKeys {
		drafts = append(drafts, memoir(string(rune('Z'-i))).named(name))
	}
	m.remember(drafts...)
	m.Equal(len(drafts), m.count(store.Count(m.ctx(), m, store.MemoirsOf{})))
	for _, limit := range []int{1, 7, len(drafts), len(drafts) + 1} {
		walked := walk(m, limit, func(page store.Page) ([]*memory.Memoir, bool, error) {
			return store.List(m.ctx(), m, store.MemoirsOf{}, page)
		}, func(found *memory.Memoir) store.Position { return store.Position{Key: found.Name} })
		m.Equal(byBytes, keysOf(walked, func(found *memory.Memoir) string { return found.Name }), "pages of %d", limit)
	}
	m.True(slices.IsSorted(byBytes))
}
