package neo4j

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// Memoirs reads known memoirs; see store.ConceptReader.
func (s *tenantStore) Memoirs(ctx context.Context, keys []string) ([]*memory.Memoir, error) {
	return readByKey(ctx, s, named("memoirs"), keys, decodeMemoir, func(m *memory.Memoir) string { return m.Key })
}

// MemoirByName reads the memoir of a name; see store.ConceptReader.
func (s *tenantStore) MemoirByName(ctx context.Context, name string) (*memory.Memoir, error) {
	q := s.query(named("memoir_by_name"), parameters{"name": name})
	found, err := read(ctx, s.backend, q, decodeMemoir)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// byName are the values of a query that lists by name, from after a position.
func byName(p store.Page) parameters {
	values := parameters{"first": true, "after": "", "limit": p.Limit + 1}
	if p.After != nil {
		values["first"], values["after"] = false, p.After.Key
	}
	return values
}

// ListMemoirs reads a page of memoirs; see store.ConceptReader.
func (s *tenantStore) ListMemoirs(ctx context.Context, p store.Page) ([]*memory.Memoir, bool, error) {
	return wholePage(ctx, p.Limit, func(ctx context.Context, limit int) ([]*memory.Memoir, error) {
		values := byName(store.Page{After: p.After, Limit: limit})
		return read(ctx, s.backend, s.query(named("list_memoirs"), values), decodeMemoir)
	})
}

// CountMemoirs counts the memoirs; see store.ConceptReader.
func (s *tenantStore) CountMemoirs(ctx context.Context) (int, error) {
	return s.count(ctx, s.query(named("count_memoirs"), nil))
}

// Concepts reads known concepts; see store.ConceptReader.
func (s *tenantStore) Concepts(ctx context.Context, keys []string) ([]*memory.Concept, error) {
	return readByKey(ctx, s, named("concepts"), keys, decodeConcept, func(c *memory.Concept) string { return c.Key })
}

// ListConcepts reads a page of a memoir's concepts; see store.ConceptReader.
func (s *tenantStore) ListConcepts(ctx context.Context, memoir string, p store.Page) ([]*memory.Concept, bool, error) {
	return wholePage(ctx, p.Limit, func(ctx context.Context, limit int) ([]*memory.Concept, error) {
		values := byName(store.Page{After: p.After, Limit: limit})
		values["memoir"] = memoir
		return read(ctx, s.backend, s.query(named("list_concepts"), values), decodeConcept)
	})
}

// CountConcepts counts a memoir's concepts; see store.ConceptReader.
func (s *tenantStore) CountConcepts(ctx context.Context, memoir string) (int, error) {
	return s.count(ctx, s.query(named("count_concepts"), parameters{"memoir": memoir}))
}
