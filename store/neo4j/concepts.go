package neo4j

import (
	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/passages"
)

var (
	memoirOf  = bolt.Reading(fields.Memoir)
	conceptOf = bolt.Reading(fields.Concept, fields.ConceptContent)
)

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
	c, err = bolt.FirstOf(t.Transaction, cypher.Named("locked_concept"), cypher.Parameters{"key": key}, func(row *bolt.Fields) *memory.Concept {
		there = bolt.List[map[string]any](row, "passages")
		return bolt.In(row, "n", conceptOf)
	})
	if err == nil && c == nil {
		err = store.ErrNotFound
	}
	return c, there, err
}

func (t *transaction) saveRefined(c *memory.Concept, there []map[string]any) error {
	said := passages.Of(c)
	said.Properties = cypher.Parameters{"tenant": t.TenantID, "key": c.Key, "memoir": c.MemoirKey, "createdAt": c.CreatedAt}
	values := passages.Became(memory.KindConcept, said, there, false, t.store.making())
	values["key"], values["properties"] = c.Key, bolt.Encode(cypher.Parameters{}, fields.ConceptContent(c))
	return t.Run(cypher.Named("set_concept"), values, nil)
}

func (t *transaction) recordMemoirs(records []store.MemoirRecord) ([]store.Recorded, error) {
	drafts := make([]newRecord, len(records))
	for i := range records {
		m := &records[i].Memoir
		drafts[i] = t.draft(m.Key, records[i].InputHash, passages.Of(m), fields.Memoir(m))
	}
	return t.recordNamed(memory.KindMemoir, drafts, cypher.Named("taken_memoir_names"), cypher.Named("create_memoirs"))
}

func (t *transaction) recordConcepts(records []store.ConceptRecord) ([]store.Recorded, error) {
	drafts := make([]newRecord, len(records))
	for i := range records {
		c := &records[i].Concept
		drafts[i] = t.draft(c.Key, records[i].InputHash, passages.Of(c), fields.Concept(c), fields.ConceptContent(c))
		drafts[i].within = []string{memory.NodeID(memory.KindMemoir, c.MemoirKey)}
		delete(drafts[i].properties, "revisions") // a new concept has none
	}
	return t.recordNamed(memory.KindConcept, drafts, cypher.Named("taken_concept_names"), cypher.Named("create_concepts"))
}

// title is a name, within a memoir or as that of one.
type title struct{ memoir, name any }

func titleIn(properties cypher.Parameters) title {
	return title{properties["memoir"], properties["name"]}
}

// recordNamed writes those that are new, in a memoir that is there, and under a free name. A name that
// another writer takes meanwhile is found by its constraint, and the transaction runs again.
func (t *transaction) recordNamed(kind memory.Kind, drafts []newRecord, taken, creating cypher.Statement) ([]store.Recorded, error) {
	used := map[title]bool{}
	titles := memory.Mapped(drafts, func(d newRecord) cypher.Parameters {
		return cypher.Parameters{"memoir": d.properties["memoir"], "name": d.properties["name"]}
	})
	if err := t.Run(taken, cypher.Parameters{"titles": titles}, func(f *bolt.Fields) { used[titleIn(f.Node.Props)] = true }); err != nil {
		return nil, err
	}
	return t.record(kind, drafts, creating, func(i int, known graph.Ends) error {
		d := &drafts[i]
		switch of := titleIn(d.properties); {
		case len(d.within) > 0 && !known.Has(d.within[0]):
			return store.ErrNotFound
		case used[of]:
			return store.ErrConflict
		default:
			used[of] = true
		}
		return nil
	})
}
