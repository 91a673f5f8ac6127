package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// RefineConcept changes what a concept says and keeps what it said.
func (t *Tenant) RefineConcept(ctx context.Context, refinement store.ConceptRefinement) error {
	return t.write(ctx, func(c *conn) error { return refine(c, &refinement) })
}

func refine(c *conn, refinement *store.ConceptRefinement) error {
	id, err := nodeID(c, memory.KindConcept, refinement.Key)
	if err != nil {
		return err
	}
	if id == 0 {
		return store.ErrNotFound
	}
	var concept *memory.Concept
	find := `SELECT ` + conceptColumns + ` FROM concepts p` + conceptTables + ` WHERE p.id = :id`
	if _, err := c.one(find, func(r *row) { concept = readConcept(r) }, arg("id", id)); err != nil {
		return err
	}
	refined, changed := concept.Refine(refinement.Content, refinement.Labels, refinement.At)
	if !changed {
		return nil
	}
	refined.Receipt = refinement.Receipt
	words, err := indexedWords(c, memory.KindConcept, id)
	if err != nil {
		return err
	}
	if err := updateConcept(c, id, &refined); err != nil {
		return err
	}
	return reword(c, id, words)
}

func updateConcept(c *conn, id int64, p *memory.Concept) error {
	return c.put(updatingConcept, conceptSaid(p), arg("id", id))
}
