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
	found, err := bolt.RowsOf(t.Transaction, cypher.Named("locked_concept"), cypher.Parameters{"key": key}, func(row *bolt.Fields) *memory.Concept {
		there = bolt.List[map[string]any](row, "passages")
		return bolt.In(row, "n", conceptOf)
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

func (t *transaction) recordMemoirs(records []store.MemoirRecord) ([]store.Recorded, error) {
	drafts, titles := make([]newRecord, len(records)), make([]title, len(records))
	for i := range records {
		m := &records[i].Memoir
		titles[i] = title{name: m.Name}
		drafts[i] = t.draft(m.Key, records[i].InputHash, passages.Of(m), fields.Memoir(m))
	}
	return t.recordNamed(memory.KindMemoir, drafts, titles, cypher.Named("taken_memoir_names"), cypher.Named("create_memoirs"))
}

func (t *transaction) recordConcepts(records []store.ConceptRecord) ([]store.Recorded, error) {
	drafts, titles := make([]newRecord, len(records)), make([]title, len(records))
	for i := range records {
		c := &records[i].Concept
		titles[i] = title{c.MemoirKey, c.Name}
		drafts[i] = t.draft(c.Key, records[i].InputHash, passages.Of(c), fields.Concept(c), fields.ConceptContent(c))
		delete(drafts[i].properties, "revisions") // a new concept has none
	}
	return t.recordNamed(memory.KindConcept, drafts, titles, cypher.Named("taken_concept_names"), cypher.Named("create_concepts"))
}

// title is a name within a memoir, "" for that of a memoir itself.
type title struct{ memoir, name string }

// recordNamed writes those that are new, in a memoir that is there, and under a free name. A name that
// another writer takes meanwhile is found by its constraint, and the transaction runs again.
func (t *transaction) recordNamed(kind memory.Kind, drafts []newRecord, titles []title, taken, creating cypher.Statement) ([]store.Recorded, error) {
	rows, used := make([]cypher.Parameters, len(titles)), map[title]bool{}
	for i, title := range titles {
		rows[i] = cypher.Parameters{"memoir": title.memoir, "name": title.name}
		if kind == memory.KindConcept {
			drafts[i].beside = []string{memory.NodeID(memory.KindMemoir, title.memoir)}
		}
	}
	if err := t.Run(taken, cypher.Parameters{"titles": rows}, func(f *bolt.Fields) {
		used[title{f.Text("memoir"), f.Text("name")}] = true
	}); err != nil {
		return nil, err
	}
	return t.record(kind, drafts, creating, func(i int, known graph.Ends) error {
		switch {
		case kind == memory.KindConcept && !known.Has(drafts[i].beside[0]):
			return store.ErrNotFound
		case used[titles[i]]:
			return store.ErrConflict
		}
		used[titles[i]] = true
		return nil
	})
}
