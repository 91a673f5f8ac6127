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

// keep writes new records of a client by own, and those of an import where no tombstone keeps them out.
func keep[T any, I interface {
	*T
	store.Item
}](ctx context.Context, t *tenant, records []T, key func(*T) string, own func(context.Context, []T) ([]store.Recorded, error)) ([]store.Recorded, error) {
	of, importing := importOf(ctx)
	if !importing {
		return own(ctx, records)
	}
	recorded, err := restoreRecords[T, I](ctx, t, records, of.force)
	for i := range recorded {
		recorded[i].Key = key(&records[i])
	}
	return recorded, err
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
	recorded, err := t.restore(ctx, []store.Item{&store.Guarded{Item: item, Unless: unless}}, force)
	if err != nil {
		return err
	}
	return recorded[0].Err
}

func (g *Episodes) recordEpisodes(ctx context.Context, records []store.EpisodeRecord) ([]store.Recorded, error) {
	return keep(ctx, g.tenant, records, func(r *store.EpisodeRecord) string { return r.Episode.Key }, g.store.RecordEpisodes)
}

func (g *Reactions) recordCanvasActions(ctx context.Context, records []store.CanvasActionRecord) ([]store.Recorded, error) {
	return keep(ctx, g.tenant, records, func(r *store.CanvasActionRecord) string { return r.Canvas }, g.store.RecordCanvasActions)
}

func (g *Reactions) recordFeedback(ctx context.Context, records []store.FeedbackRecord) ([]store.Recorded, error) {
	return keep(ctx, g.tenant, records, func(r *store.FeedbackRecord) string { return r.Feedback.Key }, g.store.RecordFeedback)
}

func (l *Learning) recordExecutions(ctx context.Context, records []store.ExecutionRecord) ([]store.Recorded, error) {
	return keep(ctx, l.tenant, records, func(r *store.ExecutionRecord) string { return r.Execution.Key }, l.store.RecordExecutions)
}

func (k *Knowledge) recordObservations(ctx context.Context, records []store.ObservationRecord) ([]store.Recorded, error) {
	return keep(ctx, k.tenant, records, func(r *store.ObservationRecord) string { return r.Observation.Key }, k.store.RecordObservations)
}

func (k *Knowledge) recordCorrections(ctx context.Context, records []store.CorrectionRecord) ([]store.Recorded, error) {
	return keep(ctx, k.tenant, records, func(r *store.CorrectionRecord) string { return r.Correction.Key }, k.store.RecordCorrections)
}

// saveAgent names an agent, unless an import brings one that is forgotten.
func (g *Agents) saveAgent(ctx context.Context, agent memory.Agent) error {
	if err := g.keyed(ctx); err != nil {
		return err
	}
	if of, importing := importOf(ctx); importing {
		return g.restoreOne(ctx, &store.AgentItem{Agent: agent, Rename: true}, []string{agent.ID()}, of.force)
	}
	return g.store.SaveAgent(ctx, agent)
}

// labelVerdict keeps a label, unless an import brings one by a person who is forgotten.
func (g *Judging) labelVerdict(ctx context.Context, label store.VerdictLabel) error {
	of, importing := importOf(ctx)
	if !importing { // and no key is made for a verdict that is not there
		return g.store.LabelVerdict(ctx, label)
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
	recorded, err := keep(ctx, k.tenant, records, func(r *store.MemoirRecord) string { return r.Memoir.Key }, k.store.CreateMemoirs)
	for i := range recorded {
		record, err := &records[i], fault("the memoir", recorded[i].Err)
		recorded[i].Err = k.nameTaken(ctx, err, record.Memoir.ID(), "another memoir has this name")
	}
	return recorded, err
}

// addConcepts writes concepts. Their faults say which field it is.
func (k *Knowledge) addConcepts(ctx context.Context, records []store.ConceptRecord) ([]store.Recorded, error) {
	recorded, err := keep(ctx, k.tenant, records, func(r *store.ConceptRecord) string { return r.Concept.Key }, k.store.AddConcepts)
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
