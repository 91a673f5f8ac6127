package sqlite

import (
	"context"
	"slices"

	"mneme/store"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// recorders write records of one type each.
var recorders = []func(ctx context.Context, t *Tenant, records any) (recorded []store.Recorded, known bool, err error){
	recorder(each(recordNewEpisode)), recorder(linked(linking.RecordCanvasActions)), recorder(linked(linking.RecordFeedback)),
	recorder(each(createMemoir)), recorder(each(addConcept)), recorder(each(recordObservation)), recorder(each(recordCorrection)),
	recorder(each(recordExecution)), recorder(each(recordVerdict)), recorder(each(nameAgent)), recorder(each(replaceJudgeThreshold)),
	recorder(each(addAccess)), recorder(each(putOffTrace)), changer(labelVerdict), changer(refine),
}

// Record writes records in one transaction.
func (t *Tenant) Record(ctx context.Context, records any) ([]store.Recorded, error) {
	for _, record := range recorders {
		if recorded, known, err := record(ctx, t, records); known {
			return recorded, err
		}
	}
	return nil, store.NotKept(records)
}

func recorder[R any](record batch[R]) func(context.Context, *Tenant, any) ([]store.Recorded, bool, error) {
	return func(ctx context.Context, t *Tenant, records any) (recorded []store.Recorded, known bool, err error) {
		typed, known := records.([]R)
		if known {
			recorded, err = answer(ctx, t.writeTogether, func(tx *db.Tx) ([]store.Recorded, error) { return record(tx, typed) })
		}
		return recorded, known, err
	}
}

// changer is recorder of what changes other records: where nothing is, none of them is there.
func changer[R any](change func(*db.Tx, *R) (created bool, err error)) func(context.Context, *Tenant, any) ([]store.Recorded, bool, error) {
	record := recorder(each(change))
	return func(ctx context.Context, t *Tenant, records any) ([]store.Recorded, bool, error) {
		if changes, known := records.([]R); known && t.file.IsNothing() {
			return slices.Repeat([]store.Recorded{{Err: store.ErrNotFound}}, len(changes)), true, ctx.Err()
		}
		return record(ctx, t, records)
	}
}

func nameAgent(tx *db.Tx, agent *store.AgentItem) (created bool, err error) {
	graph.EnsureAgent(tx, agent.Key, &agent.Name)
	return false, nil
}

func replaceJudgeThreshold(tx *db.Tx, item *store.JudgeThresholdItem) (created bool, err error) {
	putJudgeThreshold(tx, &item.JudgeThreshold, "")
	return false, nil
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
