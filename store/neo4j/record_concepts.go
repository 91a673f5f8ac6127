package neo4j

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// CreateMemoirs writes memoirs; see store.ConceptWriter.
func (s *tenantStore) CreateMemoirs(ctx context.Context, records []store.MemoirRecord) ([]store.Recorded, error) {
	return s.recordNamed(ctx, memory.KindMemoir, s.memoirDrafts(records))
}

func (s *tenantStore) memoirDrafts(records []store.MemoirRecord) []nameDraft {
	drafts := make([]nameDraft, len(records))
	for i := range records {
		m := &records[i].Memoir
		drafts[i] = nameDraft{
			key: m.Key, name: m.Name, inputHash: records[i].InputHash, former: &records[i].Former, properties: memoirProperties(s.tenant, &records[i]),
		}
	}
	return drafts
}

// AddConcepts writes concepts into their memoirs; see store.ConceptWriter.
func (s *tenantStore) AddConcepts(ctx context.Context, records []store.ConceptRecord) ([]store.Recorded, error) {
	return s.recordNamed(ctx, memory.KindConcept, s.conceptDrafts(records))
}

func (s *tenantStore) conceptDrafts(records []store.ConceptRecord) []nameDraft {
	drafts := make([]nameDraft, len(records))
	for i := range records {
		c := &records[i].Concept
		drafts[i] = nameDraft{
			key: c.Key, memoir: c.MemoirKey, name: c.Name, inputHash: records[i].InputHash, former: &records[i].Former,
			properties: conceptProperties(s.tenant, &records[i]),
		}
	}
	return drafts
}

// nameDraft is a record to be written that has a name of its own: a memoir, or a concept of a memoir.
type nameDraft struct {
	key, memoir, name string // memoir is "" for a memoir
	inputHash         []byte
	former            *store.Former
	properties        parameters
}

// title is a name within a memoir, "" for that of a memoir itself.
type title struct{ memoir, name string }

func (d *nameDraft) title() title { return title{d.memoir, d.name} }

func (s *tenantStore) recordNamed(ctx context.Context, kind memory.Kind, drafts []nameDraft) ([]store.Recorded, error) {
	var recorded []store.Recorded
	if len(drafts) == 0 {
		return []store.Recorded{}, nil
	}
	return recorded, s.write(ctx, func(t *transaction) (err error) {
		recorded, err = t.recordNamed(kind, drafts)
		return err
	})
}

// recordNamed writes those that are new, in a memoir that is there, and under a free name. A name that
// another writer takes meanwhile is found by its constraint, and the transaction runs again.
func (t *transaction) recordNamed(kind memory.Kind, drafts []nameDraft) ([]store.Recorded, error) {
	admission, err := t.admitNames(kind, drafts)
	if err != nil {
		return nil, err
	}
	recorded := make([]store.Recorded, len(drafts))
	var rows []parameters
	arrived := arrivals{}
	for i := range drafts {
		recorded[i] = admission.admit(&drafts[i])
		if recorded[i].Created {
			rows = append(rows, drafts[i].properties)
			arrived.add(kind, drafts[i].key)
		}
	}
	if len(rows) == 0 {
		return recorded, nil
	}
	creating, c := named("create_concepts"), newChanges()
	if kind == memory.KindMemoir {
		creating = named("create_memoirs")
	}
	if err := t.create(c, creating, parameters{"rows": rows}, arrived); err != nil {
		return nil, err
	}
	return recorded, c.apply(t)
}

// admission is what decides upon the records of a batch, and learns from each that is admitted.
type admission struct {
	hashes  map[string]string // by key
	memoirs keySet            // nil where the records are memoirs
	taken   map[title]bool
}

// admitNames locks what decides upon records, and reads it.
func (t *transaction) admitNames(kind memory.Kind, drafts []nameDraft) (*admission, error) {
	keys, memoirs := keySet{}, keySet{}
	titles := make([]parameters, len(drafts))
	for i, draft := range drafts {
		keys.add(draft.key)
		memoirs.add(draft.memoir)
		titles[i] = parameters{"memoir": draft.memoir, "name": draft.name}
	}
	scope := map[memory.Kind]keySet{kind: keys}
	if kind == memory.KindConcept {
		scope[memory.KindMemoir] = memoirs
	}
	known, err := t.lockEnds(scope)
	if err != nil {
		return nil, err
	}
	taken, a := named("taken_memoir_names"), &admission{hashes: known.hashes(kind), taken: map[title]bool{}}
	if kind == memory.KindConcept {
		taken, a.memoirs = named("taken_concept_names"), known.of(memory.KindMemoir)
	}
	return a, t.run(taken, parameters{"titles": titles}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		a.taken[title{f.text("memoir"), f.text("name")}] = true
		return f.err
	})
}

// admit says what becomes of a record.
func (a *admission) admit(d *nameDraft) store.Recorded {
	if _, known := a.hashes[d.key]; known {
		return compare(a.hashes, d.key, d.inputHash, d.former)
	}
	switch {
	case a.memoirs != nil && !a.memoirs.has(d.memoir):
		return store.Recorded{Key: d.key, Err: store.ErrNotFound}
	case a.taken[d.title()]:
		return store.Recorded{Key: d.key, Err: store.ErrConflict}
	}
	a.taken[d.title()] = true
	return compare(a.hashes, d.key, d.inputHash, d.former)
}
