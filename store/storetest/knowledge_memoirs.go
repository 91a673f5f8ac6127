package storetest

import (
	"slices"
	"testing"

	"mneme/memory"
	"mneme/store"
)

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
			found, err := m.MemoirByName(m.ctx(), name)
			m.NoError(err)
			m.NotNil(found, "%q", name)
			m.Equal(string(rune('A'+i)), found.Key, "%q", name)
		}
	})
	s.run(t, "no memoir has an unknown name", func(m *tenant) {
		m.remember(memoir("m1").named("Refunds"))
		for _, name := range []string{"refunds", "Refund", "m1", ""} {
			found, err := m.MemoirByName(m.ctx(), name)
			m.NoError(err)
			m.Nil(found, name)
		}
	})
	s.run(t, "memoirs come in the order of the keys, nil where there is none", func(m *tenant) {
		m.remember(memoir("a"), memoir("b"))
		found, err := m.Memoirs(m.ctx(), []string{"b", "none", "a", "b"})
		m.NoError(err)
		a, b := memoir("a").read(), memoir("b").read()
		m.Equal([]*memory.Memoir{b, nil, a, b}, found)
		found, err = m.Memoirs(m.ctx(), nil)
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
	found, err := m.Memoirs(m.ctx(), []string{"m2", "m4"})
	m.NoError(err)
	m.Equal([]*memory.Memoir{nil, nil}, found)
	m.Equal(3, m.count(m.CountMemoirs(m.ctx())))
}

func memoirPages(m *tenant) {
	m.Zero(m.count(m.CountMemoirs(m.ctx())))
	var drafts []memoirDraft
	for i, name := range awkwardKeys {
		drafts = append(drafts, memoir(string(rune('Z'-i))).named(name))
	}
	m.remember(drafts...)
	m.Equal(len(drafts), m.count(m.CountMemoirs(m.ctx())))
	for _, limit := range []int{1, 7, len(drafts), len(drafts) + 1} {
		walked := walk(m, limit, func(page store.Page) ([]*memory.Memoir, bool, error) {
			return m.ListMemoirs(m.ctx(), page)
		}, func(found *memory.Memoir) store.Position { return store.Position{Key: found.Name} })
		m.Equal(byBytes, keysOf(walked, func(found *memory.Memoir) string { return found.Name }), "pages of %d", limit)
	}
	m.True(slices.IsSorted(byBytes))
}
