package storetest

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"mneme/memory"
	"mneme/store"
)

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
		found := m.related("a", store.Both)
		m.Len(found, 1)
		for _, one := range linked {
			m.Equal(found[0], one)
		}
	})
	s.run(t, "of memoirs of one name one is created", func(m *tenant) {
		m.Equal(1, m.createdOf(func(i int) ([]store.Recorded, error) {
			return m.CreateMemoirs(m.ctx(), memoirRecords([]memoirDraft{memoir(fmt.Sprint(i)).named("Refunds")}))
		}))
		m.Equal(1, m.count(m.CountMemoirs(m.ctx())))
	})
	s.run(t, "of concepts of one name in a memoir one is added", func(m *tenant) {
		m.remember(memoir("m"), memoir("n"))
		for _, of := range []string{"m", "n"} {
			m.Equal(1, m.createdOf(func(i int) ([]store.Recorded, error) {
				return m.AddConcepts(m.ctx(), conceptRecords([]conceptDraft{concept(fmt.Sprint(of, i)).of(of).named("Refund")}))
			}))
			m.Equal(1, m.count(m.CountConcepts(m.ctx(), of)))
		}
	})
	s.run(t, "the same observation is created once", func(m *tenant) {
		var created atomic.Int32
		m.together(8, func(int) error {
			recorded, err := m.RecordObservations(m.ctx(), observationRecords([]observationDraft{observation("o", at(0)).in("s")}))
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
			return m.AddAccesses(m.ctx(), []store.Access{{Key: "o1", Count: i, At: at(i)}, {Key: "o2", Count: 1, At: at(99 - i)}})
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
