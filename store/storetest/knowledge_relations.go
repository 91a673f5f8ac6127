package storetest

import (
	"fmt"
	"slices"
	"testing"

	"mneme/memory"
	"mneme/store"
)

func (s suite) relations(t *testing.T) {
	s.run(t, "each of the nine types is a link of its own", nineRelations)
	s.run(t, "the same link again is the one that is there", func(m *tenant) {
		m.remember(memoir("m"))
		m.learn(concept("a"), concept("b"))
		first := relates("a", memory.RelationRefines, "b")
		m.link(first)
		later := first
		later.CreatedAt = at(50)
		linked, err := m.LinkConcepts(m.ctx(), later)
		m.NoError(err)
		m.Equal(first, linked)
		m.Equal([]memory.Relation{first}, m.related("a", store.Both))
	})
	s.run(t, "there and back are two links", func(m *tenant) {
		m.remember(memoir("m"))
		m.learn(concept("a"), concept("b"))
		there, back := relates("a", memory.RelationContradicts, "b"), relates("b", memory.RelationContradicts, "a")
		m.link(back, there)
		m.Equal([]memory.Relation{there, back}, m.related("a", store.Both))
		m.Equal([]memory.Relation{there}, m.related("a", store.Out))
		m.Equal([]memory.Relation{back}, m.related("a", store.In))
	})
	s.run(t, "concepts of different memoirs are linked", func(m *tenant) {
		m.remember(memoir("m"), memoir("n"))
		m.learn(concept("a"), concept("b").of("n"))
		m.link(relates("a", memory.RelationPartOf, "b"))
		m.Len(m.related("b", store.In), 1)
	})
	s.run(t, "what cannot be linked is refused", refusedRelations)
	s.run(t, "a link is removed, and only that one", unlinkRelations)
	s.run(t, "relations come by type, source and target, of each concept", relationOrder)
	s.run(t, "only the types that are asked for come", relationTypes)
	s.run(t, "a thousand come at most, the first", manyRelations)
}

func nineRelations(m *tenant) {
	m.remember(memoir("m"))
	m.learn(concept("a"), concept("b"))
	var want []memory.Relation
	for _, kind := range memory.RelationTypes {
		want = append(want, relates("a", kind, "b"))
	}
	m.link(want...)
	slices.SortFunc(want, compareRelations)
	m.Equal(want, m.related("a", store.Out))
	m.Equal(want, m.related("b", store.In))
	m.Empty(m.related("a", store.In))
	m.Empty(m.related("b", store.Out))
}

func refusedRelations(m *tenant) {
	m.remember(memoir("m"))
	m.learn(concept("a"))
	for _, relation := range []memory.Relation{
		relates("a", memory.RelationPartOf, "none"), relates("none", memory.RelationPartOf, "a"), relates("x", memory.RelationPartOf, "y"),
	} {
		_, err := m.LinkConcepts(m.ctx(), relation)
		m.ErrorIs(err, store.ErrNotFound)
	}
	_, err := m.LinkConcepts(m.ctx(), relates("a", memory.RelationPartOf, "a"))
	m.ErrorIs(err, store.ErrInvalid)
	m.Empty(m.related("a", store.Both))
}

func unlinkRelations(m *tenant) {
	m.remember(memoir("m"))
	m.learn(concept("a"), concept("b"))
	stays := []memory.Relation{relates("b", memory.RelationPartOf, "a"), relates("a", memory.RelationRefines, "b")}
	m.link(append(stays, relates("a", memory.RelationPartOf, "b"))...)
	unlinked := relates("a", memory.RelationPartOf, "b")
	unlinked.CreatedAt = at(90)
	for _, want := range []bool{true, false} {
		removed, err := m.UnlinkConcepts(m.ctx(), unlinked)
		m.NoError(err)
		m.Equal(want, removed)
	}
	m.Equal(stays, m.related("a", store.Both))
	removed, err := m.UnlinkConcepts(m.ctx(), relates("none", memory.RelationPartOf, "a"))
	m.NoError(err)
	m.False(removed)
	m.link(relates("a", memory.RelationPartOf, "b"))
}

func relationOrder(m *tenant) {
	m.remember(memoir("m"))
	keys := []string{"B", "a", "a b", "é", "z", "10", "9"}
	for _, key := range keys {
		m.learn(concept(key))
	}
	want := map[string][]memory.Relation{}
	for i, source := range keys {
		for j, target := range keys {
			if i == j || (i+j)%3 == 0 {
				continue
			}
			relation := relates(source, memory.RelationTypes[(i*j)%9], target)
			m.link(relation)
			want[source], want[target] = append(want[source], relation), append(want[target], relation)
		}
	}
	for _, relations := range want {
		slices.SortFunc(relations, compareRelations)
	}
	found, err := m.Relations(m.ctx(), store.RelationsOf{Concepts: append(keys, "none", "a")})
	m.NoError(err)
	for _, key := range keys {
		m.Equal(want[key], found[key], key)
	}
	m.Empty(found["none"])
}

func compareRelations(a, b memory.Relation) int {
	return slices.Compare(
		[]string{string(a.Type), a.SourceKey, a.TargetKey}, []string{string(b.Type), b.SourceKey, b.TargetKey},
	)
}

func relationTypes(m *tenant) {
	m.remember(memoir("m"))
	m.learn(concept("a"), concept("b"), concept("c"))
	part, cause := relates("a", memory.RelationPartOf, "b"), relates("c", memory.RelationCausedBy, "a")
	m.link(part, cause, relates("b", memory.RelationRefines, "a"))
	m.record(episode("e1", at(0)).mentioning("a"))
	m.Equal([]memory.Relation{cause, part}, m.related("a", store.Both, memory.RelationPartOf, memory.RelationCausedBy))
	m.Equal([]memory.Relation{part}, m.related("a", store.Out, memory.RelationPartOf, memory.RelationCausedBy))
	m.Empty(m.related("a", store.Both, memory.RelationSupersededBy))
	m.Len(m.related("a", store.Both), 3, "membership and mentions are no relations")
}

func manyRelations(m *tenant) {
	const all, most = 1010, 1000
	m.remember(memoir("m"))
	drafts := []conceptDraft{concept("hub")}
	for i := range all {
		drafts = append(drafts, concept(fmt.Sprintf("c%04d", i)))
	}
	m.learn(drafts...)
	m.together(8, func(worker int) error {
		for i := worker; i < all; i += 8 {
			if _, err := m.LinkConcepts(m.ctx(), relates(fmt.Sprintf("c%04d", i), memory.RelationRefines, "hub")); err != nil {
				return err
			}
		}
		_, err := m.LinkConcepts(m.ctx(), relates("hub", memory.RelationCausedBy, "c0000"))
		return err
	})
	found := m.related("hub", store.Both)
	m.Len(found, most)
	m.Equal(relates("hub", memory.RelationCausedBy, "c0000"), found[0])
	m.Equal(relates("c0000", memory.RelationRefines, "hub"), found[1])
	m.Equal(relates("c0998", memory.RelationRefines, "hub"), found[most-1])
}
