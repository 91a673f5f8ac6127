package neo4j

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/passages"
)

// CreateMemoirs writes memoirs; see store.ConceptWriter.
func (s *tenantStore) CreateMemoirs(ctx context.Context, records []store.MemoirRecord) ([]store.Recorded, error) {
	return recording(s, (*transaction).recordMemoirs)(ctx, records)
}

func (t *transaction) recordMemoirs(records []store.MemoirRecord) ([]store.Recorded, error) {
	drafts := make([]nameDraft, len(records))
	for i := range records {
		m := &records[i].Memoir
		drafts[i] = nameDraft{
			key: m.Key, name: m.Name, inputHash: records[i].InputHash, properties: memoirProperties(t.TenantID, &records[i]),
			said: passages.OfMemoir(m),
		}
	}
	return t.recordNamed(memory.KindMemoir, drafts)
}

// AddConcepts writes concepts into their memoirs; see store.ConceptWriter.
func (s *tenantStore) AddConcepts(ctx context.Context, records []store.ConceptRecord) ([]store.Recorded, error) {
	return recording(s, (*transaction).recordConcepts)(ctx, records)
}

func (t *transaction) recordConcepts(records []store.ConceptRecord) ([]store.Recorded, error) {
	drafts := make([]nameDraft, len(records))
	for i := range records {
		c := &records[i].Concept
		drafts[i] = nameDraft{
			key: c.Key, memoir: c.MemoirKey, name: c.Name, inputHash: records[i].InputHash,
			properties: conceptProperties(t.TenantID, &records[i]), said: passages.OfConcept(c),
		}
	}
	return t.recordNamed(memory.KindConcept, drafts)
}

// nameDraft is a record to be written that has a name of its own: a memoir, or a concept of a memoir.
type nameDraft struct {
	key, memoir, name string // memoir is "" for a memoir
	inputHash         []byte
	properties        cypher.Parameters
	said              passages.Record
}

// title is a name within a memoir, "" for that of a memoir itself.
type title struct{ memoir, name string }

func (d *nameDraft) title() title { return title{d.memoir, d.name} }

// recordNamed writes those that are new, in a memoir that is there, and under a free name. A name that
// another writer takes meanwhile is found by its constraint, and the transaction runs again.
func (t *transaction) recordNamed(kind memory.Kind, drafts []nameDraft) ([]store.Recorded, error) {
	admission, err := t.admitNames(kind, drafts)
	if err != nil {
		return nil, err
	}
	recorded := make([]store.Recorded, len(drafts))
	var rows []cypher.Parameters
	var said []passages.Record
	arrived := graph.Arrivals{}
	for i := range drafts {
		recorded[i] = admission.admit(&drafts[i])
		if recorded[i].Created {
			rows, said = append(rows, drafts[i].properties), append(said, drafts[i].said)
			arrived.Add(kind, drafts[i].key)
		}
	}
	if len(rows) == 0 {
		return recorded, nil
	}
	creating, c := cypher.Named("create_concepts"), graph.NewChanges()
	if kind == memory.KindMemoir {
		creating = cypher.Named("create_memoirs")
	}
	if err := graph.Create(t.Transaction, c, creating, t.nodes(kind, rows, said), arrived); err != nil {
		return nil, err
	}
	return recorded, c.Apply(t.Transaction)
}

// admission is what decides upon the records of a batch, and learns from each that is admitted.
type admission struct {
	hashes  map[string]string // by key
	memoirs graph.KeySet      // nil where the records are memoirs
	taken   map[title]bool
}

// admitNames locks what decides upon records, and reads it.
func (t *transaction) admitNames(kind memory.Kind, drafts []nameDraft) (*admission, error) {
	keys, memoirs := graph.KeySet{}, graph.KeySet{}
	titles := make([]cypher.Parameters, len(drafts))
	for i, draft := range drafts {
		keys.Add(draft.key)
		memoirs.Add(draft.memoir)
		titles[i] = cypher.Parameters{"memoir": draft.memoir, "name": draft.name}
	}
	scope := map[memory.Kind]graph.KeySet{kind: keys}
	if kind == memory.KindConcept {
		scope[memory.KindMemoir] = memoirs
	}
	known, err := graph.LockEnds(t.Transaction, scope)
	if err != nil {
		return nil, err
	}
	taken, a := cypher.Named("taken_memoir_names"), &admission{hashes: known.Hashes(kind), taken: map[title]bool{}}
	if kind == memory.KindConcept {
		taken, a.memoirs = cypher.Named("taken_concept_names"), known.Of(memory.KindMemoir)
	}
	return a, t.Rows(taken, cypher.Parameters{"titles": titles}, func(f *bolt.Fields) {
		a.taken[title{f.Text("memoir"), f.Text("name")}] = true
	})
}

// admit says what becomes of a record.
func (a *admission) admit(d *nameDraft) store.Recorded {
	if _, known := a.hashes[d.key]; known {
		return graph.CompareInput(a.hashes, d.key, d.inputHash)
	}
	switch {
	case a.memoirs != nil && !a.memoirs.Has(d.memoir):
		return store.Recorded{Key: d.key, Err: store.ErrNotFound}
	case a.taken[d.title()]:
		return store.Recorded{Key: d.key, Err: store.ErrConflict}
	}
	a.taken[d.title()] = true
	return graph.CompareInput(a.hashes, d.key, d.inputHash)
}
