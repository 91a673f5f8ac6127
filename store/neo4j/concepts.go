package neo4j

import (
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

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

// byName are the values of a query that lists by name, from after a position.
func byName(p store.Page) cypher.Parameters {
	values := cypher.Parameters{"first": true, "after": "", "limit": p.Limit + 1}
	if p.After != nil {
		values["first"], values["after"] = false, p.After.Key
	}
	return values
}

func (s *tenantStore) memoirQuery(q store.MemoirsOf, p store.Page, count bool) bolt.Query {
	values := byName(p)
	values["name"] = q.Name
	if count {
		return s.Query(cypher.Rendered("count_memoirs", q.Name != nil), values)
	}
	return s.Query(cypher.Rendered("list_memoirs", q.Name != nil), values)
}

func (s *tenantStore) conceptQuery(q store.ConceptsOf, p store.Page, count bool) bolt.Query {
	values := byName(p)
	values["memoir"] = q.Memoir
	if count {
		return s.Query(cypher.Named("count_concepts"), values)
	}
	return s.Query(cypher.Named("list_concepts"), values)
}

// refine changes what a concept says and keeps what it said; see store.ConceptRefinement.
func (t *transaction) refine(r *store.ConceptRefinement) error {
	found, there, err := t.lockConcept(r.Key)
	if err != nil {
		return err
	}
	refined, changed, err := found.Refine(r.Content, r.Labels, r.Purge, r.At)
	if err != nil || !changed {
		return err
	}
	refined.Receipt = found.Receipt.Plus(r.Receipt)
	return t.saveRefined(&refined, there)
}

// lockConcept locks a concept and reads it with its passages.
func (t *transaction) lockConcept(key string) (c *memory.Concept, there []map[string]any, err error) {
	found, err := bolt.RowsOf(t.Transaction, cypher.Named("locked_concept"), cypher.Parameters{"key": key}, func(row *neo4j.Record) (*memory.Concept, error) {
		there = bolt.List[map[string]any](bolt.FieldsOf(row.AsMap()), "passages")
		return decodeConcept(row)
	})
	if err == nil && len(found) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, nil, err
	}
	return found[0], there, nil
}

func (t *transaction) saveRefined(c *memory.Concept, there []map[string]any) error {
	said := passages.Of(c)
	said.Properties = cypher.Parameters{"tenant": t.TenantID, "key": c.Key, "memoir": c.MemoirKey, "createdAt": c.CreatedAt}
	values := passages.Became(memory.KindConcept, said, there, false, t.store.making())
	values["key"], values["properties"] = c.Key, bolt.Encode(cypher.Parameters{}, fields.ConceptContent(c))
	return t.Run(cypher.Named("set_concept"), values, nil)
}
