package sqlite

import (
	"context"
	"slices"

	"mneme/store"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// Record writes records in one transaction.
func (t *Tenant) Record(ctx context.Context, records any) ([]store.Recorded, error) {
	switch r := records.(type) {
	case []store.EpisodeRecord:
		return recordAll(ctx, t, r, recordNewEpisode)
	case []store.CanvasActionRecord:
		return recordTogether(ctx, t, r, linked(linking.RecordCanvasActions))
	case []store.FeedbackRecord:
		return recordTogether(ctx, t, r, linked(linking.RecordFeedback))
	case []store.MemoirRecord:
		return recordAll(ctx, t, r, createMemoir)
	case []store.ConceptRecord:
		return recordAll(ctx, t, r, addConcept)
	case []store.ObservationRecord:
		return recordAll(ctx, t, r, recordObservation)
	case []store.CorrectionRecord:
		return recordAll(ctx, t, r, recordCorrection)
	case []store.ExecutionRecord:
		return recordAll(ctx, t, r, recordExecution)
	case []store.VerdictRecord:
		return recordAll(ctx, t, r, recordVerdict)
	}
	return t.keep(ctx, records)
}

// keep writes what takes the place of what was kept, or is added to it.
func (t *Tenant) keep(ctx context.Context, records any) ([]store.Recorded, error) {
	switch r := records.(type) {
	case []store.AgentItem:
		return recordAll(ctx, t, r, func(tx *db.Tx, agent *store.AgentItem) (bool, error) {
			graph.EnsureAgent(tx, agent.Key, &agent.Name)
			return false, nil
		})
	case []store.VerdictLabel:
		return changeAll(ctx, t, r, labelVerdict)
	case []store.ConceptRefinement:
		return changeAll(ctx, t, r, refine)
	case []store.JudgeThresholdItem:
		return recordAll(ctx, t, r, func(tx *db.Tx, threshold *store.JudgeThresholdItem) (bool, error) {
			putJudgeThreshold(tx, &threshold.JudgeThreshold, "")
			return false, nil
		})
	case []store.Access:
		return recordAll(ctx, t, r, addAccess)
	case []store.TraceFailure:
		return recordAll(ctx, t, r, putOffTrace)
	}
	return nil, store.NotKept(records)
}

// recordAll writes the items of a batch in order.
func recordAll[R any](ctx context.Context, t *Tenant, records []R, record func(*db.Tx, *R) (created bool, err error)) ([]store.Recorded, error) {
	return recordTogether(ctx, t, records, each(record))
}

// changeAll is recordAll of what changes other records: where nothing is, none of them is there.
func changeAll[R any](ctx context.Context, t *Tenant, changes []R, change func(*db.Tx, *R) (created bool, err error)) ([]store.Recorded, error) {
	if t.file.IsNothing() {
		return slices.Repeat([]store.Recorded{{Err: store.ErrNotFound}}, len(changes)), ctx.Err()
	}
	return recordAll(ctx, t, changes, change)
}

func recordTogether[R any](ctx context.Context, t *Tenant, records []R, record batch[R]) ([]store.Recorded, error) {
	return answer(ctx, t.writeTogether, func(tx *db.Tx) ([]store.Recorded, error) { return record(tx, records) })
}

// batch writes records of one type, and answers for each.
type batch[R any] = func(tx *db.Tx, records []R) ([]store.Recorded, error)

// each makes a batch of a function that writes one record. What is at fault with one is found before it changes
// anything, so the others go on.
func each[R any](record func(tx *db.Tx, record *R) (created bool, err error)) batch[R] {
	return func(tx *db.Tx, records []R) ([]store.Recorded, error) {
		recorded := make([]store.Recorded, len(records))
		for i := 0; i < len(records) && tx.Err() == nil; i++ {
			tx.Fail(tx.Context.Err())
			created, err := record(tx, &records[i])
			recorded[i] = store.Recorded{Key: store.KeyOf(&records[i]), Created: created, Err: err}
		}
		return recorded, nil
	}
}

// linked makes a batch of a function of package linking.
func linked[R any](record func(tx linking.Tx, records []R) ([]store.Recorded, error)) batch[R] {
	return func(tx *db.Tx, records []R) ([]store.Recorded, error) { return record(linkerOf(tx), records) }
}
