package neo4j

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// RefineConcept changes what a concept says and keeps what it said; see store.ConceptWriter.
func (s *tenantStore) RefineConcept(ctx context.Context, r store.ConceptRefinement) error {
	return s.write(ctx, func(t *transaction) error {
		found, err := rowsOf(t, named("locked_concept"), parameters{"key": r.Key}, decodeConcept)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return store.ErrNotFound
		}
		refined, changed := found[0].Refine(r.Content, r.Labels, r.At)
		if !changed {
			return nil
		}
		refined.Receipt = r.Receipt
		return t.saveRefined(&refined)
	})
}

func (t *transaction) saveRefined(c *memory.Concept) error {
	revisions, err := encodeRevisions(c.Revisions)
	if err != nil {
		return err
	}
	properties := conceptSayings(t.tenant, c)
	properties["revisions"] = revisions
	return t.run(named("set_concept"), parameters{"key": c.Key, "properties": properties}, nil)
}
