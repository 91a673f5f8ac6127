package sqlite

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/store"
)

// AddConcepts writes a batch in one transaction.
func (t *Tenant) AddConcepts(ctx context.Context, records []store.ConceptRecord) ([]store.Recorded, error) {
	return recordAll(ctx, t, records, addConcept, func(r *store.ConceptRecord) string { return r.Concept.Key })
}

const hashOfConcept = `SELECT p.input_hash FROM nodes n LEFT JOIN concepts p ON p.id = n.id WHERE n.kind = :kind AND n.key = :key`

func addConcept(c *conn, record *store.ConceptRecord) (created bool, err error) {
	p := &record.Concept
	if known, err := sameAsRecorded(c, memory.KindConcept, p.Key, hashOfConcept, record.InputHash, &record.Former); known || err != nil {
		return false, err
	}
	memoir, err := roomFor(c, p)
	if err != nil {
		return false, err
	}
	id, err := addNode(c, memory.KindConcept, p.Key)
	if err != nil {
		return false, err
	}
	for _, step := range []func() error{
		func() error { return insertConcept(c, id, memoir, record) },
		func() error { return addEdge(c, memoir, edgeContains, id, p.CreatedAt) },
		func() error { return index(c, memory.KindConcept, id) },
		func() error { return linkWaitingMentions(c, id, p.Key) },
	} {
		if err := step(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// roomFor answers the memoir that a concept can be added to.
func roomFor(c *conn, p *memory.Concept) (memoir int64, err error) {
	memoir, err = nodeID(c, memory.KindMemoir, p.MemoirKey)
	if err != nil {
		return 0, err
	}
	if memoir == 0 {
		return 0, store.ErrNotFound
	}
	const find = `SELECT 1 FROM concepts WHERE memoir = :memoir AND name = :name`
	taken, err := c.one(find, func(*row) {}, arg("memoir", memoir), arg("name", p.Name))
	if err == nil && taken {
		err = store.ErrConflict
	}
	return memoir, err
}

func insertConcept(c *conn, id, memoir int64, record *store.ConceptRecord) error {
	p := record.Concept
	p.Revisions = nil // a new concept has none
	return c.put(insertingConcept, slices.Concat(conceptFields(&p), conceptSaid(&p)), arg("id", id), arg("memoir", memoir),
		arg("input_hash", blob(record.InputHash)))
}

// linkWaitingMentions links a new concept with the episodes that mentioned it before.
func linkWaitingMentions(c *conn, id int64, key string) error {
	waiters, err := waitersFor(c, memory.KindConcept, key)
	if err != nil || len(waiters) == 0 {
		return err
	}
	for _, w := range waiters {
		startedAt, err := startOf(c, w.node)
		if err != nil {
			return err
		}
		if err := addEdge(c, w.node, edgeMentions, id, startedAt); err != nil {
			return err
		}
	}
	return endWait(c, memory.KindConcept, key)
}
