package service

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"mneme/memory"
	"mneme/store"
)

type importKey struct{}

// importing is an import, how many records it has made so far that were not there, and which it left out as forgotten.
type importing struct {
	force   bool
	created int
	leftOut map[string]bool
}

// Importing marks the calls with the context as those of an import: unlike a client's own new records, what was deleted
// for good does not come back by them (see WasForgotten). With force it does, and is no longer forgotten.
func Importing(ctx context.Context, force bool) context.Context {
	return context.WithValue(ctx, importKey{}, &importing{force: force, leftOut: map[string]bool{}})
}

func importOf(ctx context.Context) (of *importing, ok bool) {
	of, ok = ctx.Value(importKey{}).(*importing)
	return of, ok
}

// ImportCreated counts the records that were not there before the calls with the context of an import, which are
// made one after the other.
func ImportCreated(ctx context.Context) int {
	if of, ok := importOf(ctx); ok {
		return of.created
	}
	return 0
}

// ImportLeftOut counts the records that calls with the context of an import, made one after the other, left out because
// they were deleted for good. A canvas is one, whatever was done with it.
func ImportLeftOut(ctx context.Context) int {
	if of, ok := importOf(ctx); ok {
		return len(of.leftOut)
	}
	return 0
}

// WasForgotten says whether an import left a record out because it, or whose it is, was deleted for good.
func WasForgotten(err error) bool { return errors.Is(err, store.ErrForgotten) }

// keep writes new records of a client, and those of an import where no tombstone keeps them out.
func keep[T store.NewRecord, I interface {
	*T
	store.Item
}](ctx context.Context, t *tenant, records []T) ([]store.Recorded, error) {
	of, importing := importOf(ctx)
	if !importing {
		return store.Record(ctx, t.store, records)
	}
	recorded, err := restoreRecords[T, I](ctx, t, records, of.force)
	for i := range recorded {
		_, recorded[i].Key, _ = memory.SplitID(store.Leaves(I(&records[i])))
	}
	return recorded, err
}

// keeper is keep for the records of a tenant.
func keeper[T store.NewRecord, I interface {
	*T
	store.Item
}](t *tenant) func(context.Context, []T) ([]store.Recorded, error) {
	return func(ctx context.Context, records []T) ([]store.Recorded, error) { return keep[T, I](ctx, t, records) }
}

// restoreRecords is restore for records of one kind.
func restoreRecords[T any, I interface {
	*T
	store.Item
}](ctx context.Context, t *tenant, records []T, force bool) ([]store.Recorded, error) {
	items := make([]store.Item, len(records))
	for i := range records {
		items[i] = I(&records[i])
	}
	return t.restore(ctx, items, force)
}

// restore writes items where no tombstone keeps them out, a batch in one transaction, and counts them for an import.
func (t *tenant) restore(ctx context.Context, items []store.Item, force bool) ([]store.Recorded, error) {
	recorded, err := t.store.Restore(ctx, items, force)
	of, importing := importOf(ctx)
	for i, r := range recorded {
		switch {
		case !importing:
		case WasForgotten(r.Err):
			of.leftOut[cmp.Or(items[i].ID(), strings.Join(store.Owners(items[i]), " "))] = true //nolint:gosec // there are as many of both
		case r.Err == nil && r.Created:
			of.created++
		}
	}
	return recorded, err
}

// restoreOne is restore for an item that is left out where one of some ids is forgotten.
func (t *tenant) restoreOne(ctx context.Context, item store.Item, unless []string, force bool) error {
	return itemOf(t.restore(ctx, []store.Item{&store.Guarded{Item: item, Unless: unless}}, force))
}

// saveAgent names an agent, unless an import brings one that is forgotten.
func (g *Agents) saveAgent(ctx context.Context, agent memory.Agent) error {
	if err := g.keyed(ctx); err != nil {
		return err
	}
	if of, importing := importOf(ctx); importing {
		return g.restoreOne(ctx, &store.AgentItem{Agent: agent, Rename: true}, []string{agent.ID()}, of.force)
	}
	return itemOf(store.Record(ctx, g.store, []store.AgentItem{{Agent: agent}}))
}

// labelVerdict keeps a label, unless an import brings one by a person who is forgotten.
func (g *Judging) labelVerdict(ctx context.Context, label store.VerdictLabel) error {
	of, importing := importOf(ctx)
	if !importing { // and no key is made for a verdict that is not there
		return itemOf(store.Record(ctx, g.store, []store.VerdictLabel{label}))
	}
	if err := g.keyed(ctx); err != nil {
		return err
	}
	return g.restoreOne(ctx, &label, store.Owners(&label), of.force)
}

// ImportRelations relates concepts as an import does (see Importing) and reports each.
func (k *Knowledge) ImportRelations(ctx context.Context, inputs []LinkConceptsInput) (*BatchResult, error) {
	return recordBatch(ctx, k.tenant, store.KindRelation, "relations", inputs, func(ctx context.Context, input LinkConceptsInput) (store.RelationItem, error) {
		relation, err := k.relation(ctx, input)
		return store.RelationItem{Relation: relation}, err
	}, k.restoreRelations)
}

// createMemoirs writes memoirs. Their faults say which field it is.
func (k *Knowledge) createMemoirs(ctx context.Context, records []store.MemoirRecord) ([]store.Recorded, error) {
	recorded, err := keep(ctx, k.tenant, records)
	for i := range recorded {
		record, err := &records[i], fault("the memoir", recorded[i].Err)
		recorded[i].Err = k.nameTaken(ctx, err, record.Memoir.ID(), "another memoir has this name")
	}
	return recorded, err
}

// addConcepts writes concepts. Their faults say which field it is.
func (k *Knowledge) addConcepts(ctx context.Context, records []store.ConceptRecord) ([]store.Recorded, error) {
	recorded, err := keep(ctx, k.tenant, records)
	for i := range recorded {
		record, err := &records[i], fault("the concept", recorded[i].Err)
		err = k.nameTaken(ctx, err, record.Concept.ID(), "another concept of the memoir has this name")
		recorded[i].Err = k.faultAt(ctx, "memoirId", "the memoir", record.Concept.MemoirKey, err)
	}
	return recorded, err
}

// restoreRelations writes relations where no tombstone keeps them out. Their faults say which field it is.
func (k *Knowledge) restoreRelations(ctx context.Context, relations []store.RelationItem) ([]store.Recorded, error) {
	of, importing := importOf(ctx)
	recorded, err := restoreRecords(ctx, k.tenant, relations, importing && of.force)
	for i := range recorded {
		recorded[i].Err = k.linkFault(ctx, &relations[i].Relation, recorded[i].Err)
	}
	return recorded, err
}
