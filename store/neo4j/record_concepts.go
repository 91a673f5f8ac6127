package neo4j

import (
	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/passages"
)

func (t *transaction) recordMemoirs(records []store.MemoirRecord) ([]store.Recorded, error) {
	drafts, titles := make([]newRecord, len(records)), make([]title, len(records))
	for i := range records {
		m := &records[i].Memoir
		titles[i] = title{name: m.Name}
		drafts[i] = newRecord{
			key: m.Key, inputHash: records[i].InputHash, properties: graph.Properties(t.TenantID, m.Key, records[i].InputHash, fields.Memoir(m)), said: passages.Of(m),
		}
	}
	return t.recordNamed(memory.KindMemoir, drafts, titles, cypher.Named("taken_memoir_names"), cypher.Named("create_memoirs"))
}

func (t *transaction) recordConcepts(records []store.ConceptRecord) ([]store.Recorded, error) {
	drafts, titles := make([]newRecord, len(records)), make([]title, len(records))
	for i := range records {
		c := &records[i].Concept
		titles[i] = title{c.MemoirKey, c.Name}
		properties := graph.Properties(t.TenantID, c.Key, records[i].InputHash, fields.Concept(c), fields.ConceptContent(c))
		delete(properties, "revisions") // a new concept has none
		drafts[i] = newRecord{
			key: c.Key, inputHash: records[i].InputHash, properties: properties, said: passages.Of(c),
		}
	}
	return t.recordNamed(memory.KindConcept, drafts, titles, cypher.Named("taken_concept_names"), cypher.Named("create_concepts"))
}

// title is a name within a memoir, "" for that of a memoir itself.
type title struct{ memoir, name string }

// recordNamed writes those that are new, in a memoir that is there, and under a free name. A name that
// another writer takes meanwhile is found by its constraint, and the transaction runs again.
func (t *transaction) recordNamed(kind memory.Kind, drafts []newRecord, titles []title, taken, creating cypher.Statement) ([]store.Recorded, error) {
	rows, memoirs, used := make([]cypher.Parameters, len(titles)), linking.KeySet{}, map[title]bool{}
	for i, title := range titles {
		rows[i] = cypher.Parameters{"memoir": title.memoir, "name": title.name}
		if kind == memory.KindConcept {
			memoirs.Add(title.memoir)
		}
	}
	if err := t.Rows(taken, cypher.Parameters{"titles": rows}, func(f *bolt.Fields) {
		used[title{f.Text("memoir"), f.Text("name")}] = true
	}); err != nil {
		return nil, err
	}
	return t.record(kind, drafts, map[memory.Kind]linking.KeySet{memory.KindMemoir: memoirs}, creating, func(i int, known graph.Ends) error {
		switch {
		case kind == memory.KindConcept && !known.Has(memory.NodeID(memory.KindMemoir, titles[i].memoir)):
			return store.ErrNotFound
		case used[titles[i]]:
			return store.ErrConflict
		}
		used[titles[i]] = true
		return nil
	})
}
