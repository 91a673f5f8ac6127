package neo4j

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/passages"
)

var (
	memoirOf  = bolt.Reading(fields.Memoir)
	conceptOf = bolt.Reading(fields.Concept, fields.ConceptContent)

	decodeMemoir  = bolt.NodeIn("m", memoirOf)
	decodeConcept = bolt.NodeIn("c", conceptOf)
)

// Memoirs reads known memoirs; see store.ConceptReader.
func (s *tenantStore) Memoirs(ctx context.Context, keys []string) ([]*memory.Memoir, error) {
	return readByKey(ctx, s, cypher.Named("memoirs"), keys, decodeMemoir, func(m *memory.Memoir) string { return m.Key })
}

// MemoirByName reads the memoir of a name; see store.ConceptReader.
func (s *tenantStore) MemoirByName(ctx context.Context, name string) (*memory.Memoir, error) {
	q := s.Query(cypher.Named("memoir_by_name"), cypher.Parameters{"name": name})
	found, err := bolt.Read(ctx, s.Connection, q, decodeMemoir)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// byName are the values of a query that lists by name, from after a position.
func byName(p store.Page) cypher.Parameters {
	values := cypher.Parameters{"first": true, "after": "", "limit": p.Limit + 1}
	if p.After != nil {
		values["first"], values["after"] = false, p.After.Key
	}
	return values
}

// ListMemoirs reads a page of memoirs; see store.ConceptReader.
func (s *tenantStore) ListMemoirs(ctx context.Context, p store.Page) ([]*memory.Memoir, bool, error) {
	return bolt.ReadPage(ctx, s.Connection, p, func(p store.Page) bolt.Query {
		return s.Query(cypher.Named("list_memoirs"), byName(p))
	}, decodeMemoir, nil)
}

// CountMemoirs counts the memoirs; see store.ConceptReader.
func (s *tenantStore) CountMemoirs(ctx context.Context) (int, error) {
	return s.Count(ctx, s.Query(cypher.Named("count_memoirs"), nil))
}

// Concepts reads known concepts; see store.ConceptReader.
func (s *tenantStore) Concepts(ctx context.Context, keys []string) ([]*memory.Concept, error) {
	return readByKey(ctx, s, cypher.Named("concepts"), keys, decodeConcept, func(c *memory.Concept) string { return c.Key })
}

// ListConcepts reads a page of a memoir's concepts; see store.ConceptReader.
func (s *tenantStore) ListConcepts(ctx context.Context, memoir string, p store.Page) ([]*memory.Concept, bool, error) {
	return bolt.ReadPage(ctx, s.Connection, p, func(p store.Page) bolt.Query {
		values := byName(p)
		values["memoir"] = memoir
		return s.Query(cypher.Named("list_concepts"), values)
	}, decodeConcept, nil)
}

// CountConcepts counts a memoir's concepts; see store.ConceptReader.
func (s *tenantStore) CountConcepts(ctx context.Context, memoir string) (int, error) {
	return s.Count(ctx, s.Query(cypher.Named("count_concepts"), cypher.Parameters{"memoir": memoir}))
}

// RefineConcept changes what a concept says and keeps what it said; see store.ConceptWriter.
func (s *tenantStore) RefineConcept(ctx context.Context, r store.ConceptRefinement) error {
	return s.write(ctx, func(t *transaction) error {
		found, err := bolt.RowsOf(t.Transaction, cypher.Named("locked_concept"), cypher.Parameters{"key": r.Key}, decodeConcept)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return store.ErrNotFound
		}
		refined, changed, err := found[0].Refine(r.Content, r.Labels, r.Purge, r.At)
		if err != nil || !changed {
			return err
		}
		refined.Receipt = found[0].Receipt.Plus(r.Receipt)
		return t.saveRefined(&refined)
	})
}

func (t *transaction) saveRefined(c *memory.Concept) error {
	properties := bolt.Encode(cypher.Parameters{}, fields.ConceptContent(c))
	said := passages.OfConcept(c)
	said.Properties = cypher.Parameters{"tenant": t.TenantID, "memoir": c.MemoirKey, "createdAt": c.CreatedAt}
	return t.Run(cypher.Named("set_concept"), cypher.Parameters{
		"key": c.Key, "properties": properties, "retold": passages.Retold(memory.KindConcept, said, false, t.store.making()),
	}, nil)
}
