// Package knowledge keeps what agents know: memoirs and their concepts, observations, corrections.
package knowledge

import (
	"cmp"
	"context"
	"errors"

	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/service/tenancy"
	"mneme/store"
)

// Knowledge is what agents know: memoirs and their concepts, observations, corrections.
type Knowledge struct{ t *tenancy.Tenant }

// New are those of a tenant.
func New(t *tenancy.Tenant) *Knowledge { return &Knowledge{t} }

// CreateMemoir makes a named graph of concepts.
func (k *Knowledge) CreateMemoir(ctx context.Context, input boundary.CreateMemoirInput) (*memory.Memoir, error) {
	return tenancy.RecordOne[memory.Memoir](ctx, k.t, memory.KindMemoir, input, (*boundary.Boundary).Memoir, k.createMemoirs)
}

// AddConcept adds a concept to a memoir.
func (k *Knowledge) AddConcept(ctx context.Context, input boundary.AddConceptInput) (*memory.Concept, error) {
	return tenancy.RecordOne[memory.Concept](ctx, k.t, memory.KindConcept, input, k.conceptRecord(ctx), k.addConcepts)
}

// conceptRecord brings inputs to records, of memoirs that are there: the store would find that only once the first is
// hashed, and the key for that makes the tenant.
func (k *Knowledge) conceptRecord(ctx context.Context) func(*boundary.Boundary, boundary.AddConceptInput) (store.ConceptRecord, error) {
	return func(b *boundary.Boundary, input boundary.AddConceptInput) (store.ConceptRecord, error) {
		if !k.t.HasKey() {
			if memoir, err := k.Memoir(ctx, &input.MemoirID, nil); memoir == nil && err == nil {
				return store.ConceptRecord{}, k.t.NotFound(ctx, "memoirId", "the memoir", input.MemoirID)
			}
		}
		return b.Concept(input)
	}
}

// CreateMemoirs makes memoirs in order and reports each.
func (k *Knowledge) CreateMemoirs(ctx context.Context, inputs []boundary.CreateMemoirInput) (*tenancy.BatchResult, error) {
	return tenancy.RecordBatch(ctx, k.t, memory.KindMemoir, "memoirs", inputs, (*boundary.Boundary).Memoir, k.createMemoirs)
}

// AddConcepts adds concepts to their memoirs in order and reports each.
func (k *Knowledge) AddConcepts(ctx context.Context, inputs []boundary.AddConceptInput) (*tenancy.BatchResult, error) {
	return tenancy.RecordBatch(ctx, k.t, memory.KindConcept, "concepts", inputs, k.conceptRecord(ctx), k.addConcepts)
}

// RefineConcept changes what a concept says and keeps what it said as a revision, or with purge drops all that it said
// before, for good.
func (k *Knowledge) RefineConcept(ctx context.Context, input boundary.RefineConceptInput) (*memory.Concept, error) {
	b := k.t.Boundary(ctx)
	b.ForReal(ctx, "to drop for good what a concept said before", memory.ValueOr(input.Purge, false))
	refinement, err := b.Refinement(input)
	if err != nil {
		return nil, err
	}
	if err := tenancy.ItemOf(store.Record(ctx, k.t.Store, []store.ConceptRefinement{refinement})); err != nil {
		return nil, k.t.FaultAt(ctx, "id", "the concept", input.ID, err)
	}
	return reading.MustRead(ctx, "the concept", refinement.Key, reading.ByKey[memory.Concept](k.t.Store))
}

// LinkConcepts relates two concepts; the same link again is the same link.
func (k *Knowledge) LinkConcepts(ctx context.Context, input boundary.LinkConceptsInput) (*memory.Relation, error) {
	relation, err := k.t.Boundary(ctx).Relation(input)
	if err != nil {
		return nil, err
	}
	linked, err := k.t.Store.LinkConcepts(ctx, relation)
	if err != nil {
		return nil, k.linkFault(ctx, &relation, err)
	}
	return &linked, nil
}

// UnlinkConcepts removes a relation and says whether there was one.
func (k *Knowledge) UnlinkConcepts(ctx context.Context, input boundary.LinkConceptsInput) (bool, error) {
	relation, err := k.t.Boundary(ctx).Relation(input)
	if err != nil {
		return false, err
	}
	removed, err := k.t.Store.UnlinkConcepts(ctx, relation)
	return removed, faults.Of("the relation", err)
}

// Memoir reads a memoir by id or by name, exactly one of which is given; nil where there is none.
func (k *Knowledge) Memoir(ctx context.Context, id, name *string) (*memory.Memoir, error) {
	if (id == nil) == (name == nil) {
		return nil, memory.Invalid("id", "send either id or name")
	}
	if name != nil {
		b := k.t.Question(ctx)
		named := b.NameAsked(*name)
		found, _, err := store.List(ctx, k.t.Store, store.MemoirsOf{Name: &named}, store.Page{Limit: 1})
		if err == nil && len(found) == 0 {
			return nil, k.t.NothingFor(ctx, 0, tenancy.MemoirNames.Called("name", name))
		}
		if err != nil {
			return nil, faults.Of("the memoir", err)
		}
		return found[0], nil
	}
	memoir, err := tenancy.ReadByID(ctx, k.t, memory.KindMemoir, *id, reading.ByKey[memory.Memoir](k.t.Store))
	if err == nil && memoir == nil {
		err = k.t.NothingFor(ctx, 0, tenancy.Memoirs.Called("id", id))
	}
	return memoir, err
}

// Memoirs lists all memoirs by name.
func (k *Knowledge) Memoirs(ctx context.Context, input reading.PageInput) (*reading.Page[*memory.Memoir], error) {
	return reading.ListOf(k.t.Store, "the memoir", store.MemoirsOf{}).Page(ctx, input, reading.Fingerprint("memoirs"))
}

// Concept reads one concept; nil where there is none.
func (k *Knowledge) Concept(ctx context.Context, id string) (*memory.Concept, error) {
	return tenancy.ReadByID(ctx, k.t, memory.KindConcept, id, reading.ByKey[memory.Concept](k.t.Store))
}

// MemoirConcepts lists a memoir's concepts by name.
func (k *Knowledge) MemoirConcepts(ctx context.Context, memoirKey string, input reading.PageInput) (*reading.Page[*memory.Concept], error) {
	return reading.ListOf(k.t.Store, "the memoir", store.ConceptsOf{Memoir: memoirKey}).Page(ctx, input, reading.Fingerprint("concepts", memoirKey))
}

// Relations reads the relations of each concept by key, ordered by (type, source, target).
func (k *Knowledge) Relations(ctx context.Context, keys []string, direction memory.Direction, types []memory.RelationType) (map[string][]*memory.Relation, error) {
	found, err := k.t.Store.Relations(ctx, store.RelationsOf{Concepts: keys, Direction: direction, Types: types})
	relations := make(map[string][]*memory.Relation, len(found))
	for key, of := range found {
		for i := range of {
			relations[key] = append(relations[key], &of[i])
		}
	}
	return relations, faults.Of("the concept", err)
}

// Mentioned reads the concepts that each episode mentions, by episode key.
func (k *Knowledge) Mentioned(ctx context.Context, episodeKeys []string) (map[string][]*memory.Concept, error) {
	concepts, err := k.t.Store.Mentioned(ctx, episodeKeys)
	return concepts, faults.Of("the episode", err)
}

// linkFault is the fault of a relation, which says which of the concepts does not exist.
func (k *Knowledge) linkFault(ctx context.Context, relation *memory.Relation, err error) error {
	if errors.Is(err, store.ErrNotFound) {
		source, target := memory.NodeID(memory.KindConcept, relation.SourceKey), memory.NodeID(memory.KindConcept, relation.TargetKey)
		err = cmp.Or(k.t.MustExist(ctx, "sourceId", source), k.t.MustExist(ctx, "targetId", target), err)
	}
	return faults.Of("the concept", err)
}

// nameTaken puts a conflict on the name where no record has the id.
func (k *Knowledge) nameTaken(ctx context.Context, err error, id, message string) error {
	known, ok := errors.AsType[*memory.Error](err)
	if !ok || known.Code != memory.CodeConflict || faults.WasForgotten(err) {
		return err
	}
	if exist, failed := k.t.Store.Exist(ctx, []string{id}); failed == nil && !exist[0] {
		known.Field, known.Message = "name", message
	}
	return err
}

// ImportRelations relates concepts as an import does (see Importing) and reports each.
func (k *Knowledge) ImportRelations(ctx context.Context, inputs []boundary.LinkConceptsInput) (*tenancy.BatchResult, error) {
	return tenancy.RecordBatch(ctx, k.t, store.KindRelation, "relations", inputs, func(b *boundary.Boundary, input boundary.LinkConceptsInput) (store.RelationItem, error) {
		relation, err := b.Relation(input)
		return store.RelationItem{Relation: relation}, err
	}, k.restoreRelations)
}

// createMemoirs writes memoirs. Their faults say which field it is.
func (k *Knowledge) createMemoirs(ctx context.Context, t *tenancy.Tenant, records []store.MemoirRecord) ([]store.Recorded, error) {
	recorded, err := tenancy.Keep(ctx, t, records)
	for i := range recorded {
		record, err := &records[i], faults.Of("the memoir", recorded[i].Err)
		recorded[i].Err = k.nameTaken(ctx, err, record.Memoir.ID(), "another memoir has this name")
	}
	return recorded, err
}

// addConcepts writes concepts. Their faults say which field it is.
func (k *Knowledge) addConcepts(ctx context.Context, t *tenancy.Tenant, records []store.ConceptRecord) ([]store.Recorded, error) {
	recorded, err := tenancy.Keep(ctx, t, records)
	for i := range recorded {
		record, err := &records[i], faults.Of("the concept", recorded[i].Err)
		err = k.nameTaken(ctx, err, record.Concept.ID(), "another concept of the memoir has this name")
		recorded[i].Err = k.t.FaultAt(ctx, "memoirId", "the memoir", record.Concept.MemoirKey, err)
	}
	return recorded, err
}

// restoreRelations writes relations where no tombstone keeps them out. Their faults say which field it is.
func (k *Knowledge) restoreRelations(ctx context.Context, t *tenancy.Tenant, relations []store.RelationItem) ([]store.Recorded, error) {
	recorded, err := tenancy.RestoreRecords(ctx, t, relations)
	for i := range recorded {
		recorded[i].Err = k.linkFault(ctx, &relations[i].Relation, recorded[i].Err)
	}
	return recorded, err
}
