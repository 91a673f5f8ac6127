package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
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
		m.Equal([]memory.Relation{first}, m.related("a", memory.DirectionBoth))
	})
	s.run(t, "there and back are two links", func(m *tenant) {
		m.remember(memoir("m"))
		m.learn(concept("a"), concept("b"))
		there, back := relates("a", memory.RelationContradicts, "b"), relates("b", memory.RelationContradicts, "a")
		m.link(back, there)
		m.Equal([]memory.Relation{there, back}, m.related("a", memory.DirectionBoth))
		m.Equal([]memory.Relation{there}, m.related("a", memory.DirectionOut))
		m.Equal([]memory.Relation{back}, m.related("a", memory.DirectionIn))
	})
	s.run(t, "concepts of different memoirs are linked", func(m *tenant) {
		m.remember(memoir("m"), memoir("n"))
		m.learn(concept("a"), concept("b").of("n"))
		m.link(relates("a", memory.RelationPartOf, "b"))
		m.Len(m.related("b", memory.DirectionIn), 1)
	})
	s.run(t, "what cannot be linked is refused", refusedRelations)
	s.run(t, "links that are restored in one batch are each told what became of them", restoredRelations)
	s.run(t, "batches of the same links restored at a time make each once", restoredRelationsTogether)
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
	m.Equal(want, m.related("a", memory.DirectionOut))
	m.Equal(want, m.related("b", memory.DirectionIn))
	m.Empty(m.related("a", memory.DirectionIn))
	m.Empty(m.related("b", memory.DirectionOut))
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
	m.Empty(m.related("a", memory.DirectionBoth))
}

func restoredRelations(m *tenant) {
	m.remember(memoir("m"))
	m.learn(concept("a"), concept("b"), concept("c"))
	linked := relates("b", memory.RelationPartOf, "a")
	m.link(linked)
	again, back, other := relates("a", memory.RelationPartOf, "b"), relates("b", memory.RelationPartOf, "a"), relates("c", memory.RelationRefines, "a")
	again.CreatedAt, back.CreatedAt = at(50), at(60)
	batch := []struct {
		relation memory.Relation
		created  bool
		err      error
	}{
		{relation: relates("a", memory.RelationPartOf, "b"), created: true},
		{relation: relates("a", memory.RelationPartOf, "none"), err: store.ErrNotFound},
		{relation: again},
		{relation: other, created: true},
		{relation: relates("none", memory.RelationRefines, "a"), err: store.ErrNotFound},
		{relation: back},
		{relation: relates("a", memory.RelationRefines, "c"), created: true},
	}
	items := make([]store.Item, len(batch))
	for i := range batch {
		items[i] = &store.RelationItem{Relation: batch[i].relation}
	}
	recorded, err := m.Restore(m.ctx(), items, false)
	m.NoError(err)
	m.Len(recorded, len(batch))
	for i, want := range batch {
		m.Equal(want.created, recorded[i].Created, i)
		m.ErrorIs(recorded[i].Err, want.err, i)
	}
	m.Equal([]memory.Relation{relates("a", memory.RelationPartOf, "b"), linked, relates("a", memory.RelationRefines, "c"), other}, m.related("a", memory.DirectionBoth))
}

func restoredRelationsTogether(m *tenant) {
	const concepts, writers = 12, 8
	m.remember(memoir("m"))
	var items []store.Item
	for i := range concepts {
		m.learn(concept(fmt.Sprint("c", i)))
		for _, kind := range []memory.RelationType{memory.RelationPartOf, memory.RelationRefines} {
			items = append(items, &store.RelationItem{Relation: relates(fmt.Sprint("c", i), kind, fmt.Sprint("c", (i+1)%concepts))})
		}
	}
	var created atomic.Int32
	m.together(writers, func(w int) error {
		mine := slices.Clone(items)
		if w%2 == 1 {
			slices.Reverse(mine)
		}
		recorded, err := m.Restore(m.ctx(), mine, false)
		for _, r := range recorded {
			if err = errors.Join(err, r.Err); r.Created {
				created.Add(1)
			}
		}
		return err
	})
	m.EqualValues(len(items), created.Load())
	for i := range concepts {
		m.Len(m.related(fmt.Sprint("c", i), memory.DirectionBoth), 4)
	}
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
	m.Equal(stays, m.related("a", memory.DirectionBoth))
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
	m.Equal([]memory.Relation{cause, part}, m.related("a", memory.DirectionBoth, memory.RelationPartOf, memory.RelationCausedBy))
	m.Equal([]memory.Relation{part}, m.related("a", memory.DirectionOut, memory.RelationPartOf, memory.RelationCausedBy))
	m.Empty(m.related("a", memory.DirectionBoth, memory.RelationSupersededBy))
	m.Len(m.related("a", memory.DirectionBoth), 3, "membership and mentions are no relations")
	m.Empty(m.related("a", memory.DirectionBoth, "MENTIONS", "CONTAINS"), "asked for by name, too")
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
	found := m.related("hub", memory.DirectionBoth)
	m.Len(found, most)
	m.Equal(relates("hub", memory.RelationCausedBy, "c0000"), found[0])
	m.Equal(relates("c0000", memory.RelationRefines, "hub"), found[1])
	m.Equal(relates("c0998", memory.RelationRefines, "hub"), found[most-1])
}

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
				return fault(store.Record(m.ctx(), m, conceptRecords([]conceptDraft{concept(mentioned)})))
			})
			m.Equal([]string{mentioned}, m.mentioned(key))
		}
	})
}

func (s suite) knowingTogether(t *testing.T) {
	s.run(t, "64 writers of the same link make one", func(m *tenant) {
		m.remember(memoir("m"))
		m.learn(concept("a"), concept("b"))
		linked := make([]memory.Relation, 64)
		m.together(len(linked), func(i int) (err error) {
			relation := relates("a", memory.RelationPartOf, "b")
			relation.CreatedAt = at(i)
			linked[i], err = m.LinkConcepts(m.ctx(), relation)
			return err
		})
		found := m.related("a", memory.DirectionBoth)
		m.Len(found, 1)
		for _, one := range linked {
			m.Equal(found[0], one)
		}
	})
	s.run(t, "of memoirs of one name one is created", func(m *tenant) {
		m.Equal(1, m.createdOf(func(i int) ([]store.Recorded, error) {
			return store.Record(m.ctx(), m, memoirRecords([]memoirDraft{memoir(fmt.Sprint(i)).named("Refunds")}))
		}))
		m.Equal(1, m.count(store.Count(m.ctx(), m, store.MemoirsOf{})))
	})
	s.run(t, "of concepts of one name in a memoir one is added", func(m *tenant) {
		m.remember(memoir("m"), memoir("n"))
		for _, of := range []string{"m", "n"} {
			m.Equal(1, m.createdOf(func(i int) ([]store.Recorded, error) {
				return store.Record(m.ctx(), m, conceptRecords([]conceptDraft{concept(fmt.Sprint(of, i)).of(of).named("Refund")}))
			}))
			m.Equal(1, m.count(store.Count(m.ctx(), m, store.ConceptsOf{Memoir: of})))
		}
	})
	s.run(t, "the same observation is created once", func(m *tenant) {
		var created atomic.Int32
		m.together(8, func(int) error {
			recorded, err := store.Record(m.ctx(), m, observationRecords([]observationDraft{observation("o", at(0)).in("s")}))
			if err == nil && recorded[0].Created {
				created.Add(1)
			}
			return fault(recorded, err)
		})
		m.EqualValues(1, created.Load())
	})
	s.run(t, "accesses that are told at once sum up", func(m *tenant) {
		m.observe(observation("o1", at(0)), observation("o2", at(0)))
		m.together(32, func(i int) error {
			return m.counted([]store.Access{{Key: "o1", Count: i, At: at(i)}, {Key: "o2", Count: 1, At: at(99 - i)}})
		})
		m.Equal(32*31/2, m.observation("o1").AccessCount)
		m.Equal(new(at(31)), m.observation("o1").LastAccessedAt)
		m.Equal(32, m.observation("o2").AccessCount)
		m.Equal(new(at(99)), m.observation("o2").LastAccessedAt)
	})
	s.run(t, "of prunes at once each observation is counted once", func(m *tenant) {
		var drafts []observationDraft
		for i := range 40 {
			drafts = append(drafts, observation(fmt.Sprint(i), at(0)).in("s"))
		}
		m.observe(drafts...)
		var pruned atomic.Int64
		m.together(4, func(int) error {
			count, err := m.PruneObservations(m.ctx(), store.Pruning{Now: at(0), MinWeight: 0.6})
			pruned.Add(int64(count))
			return err
		})
		m.EqualValues(len(drafts), pruned.Load())
		m.False(m.hasSession("s"))
	})
}

// createdOf races eight writers that get in each other's way, and counts those that were not refused.
func (m *tenant) createdOf(write func(i int) ([]store.Recorded, error)) int {
	m.t.Helper()
	var created atomic.Int32
	m.together(8, func(i int) error {
		err := fault(write(i))
		if err == nil {
			created.Add(1)
		}
		if errors.Is(err, store.ErrConflict) {
			return nil
		}
		return err
	})
	return int(created.Load())
}
