package upkeep

import (
	"context"
	"errors"
	"slices"

	"mneme/memory"
	"mneme/service/faults"
	"mneme/store"
)

// ReindexStep is how far a Reindex is.
type ReindexStep = store.ReindexStep

// Reindexed says of how many records vectors were made.
type Reindexed struct {
	Made int `json:"made"`
}

// Reindex makes the vectors of the records that were written without, and tells how far it is.
func (u *Upkeep) Reindex(ctx context.Context, tell func(ReindexStep)) (*Reindexed, error) {
	endpoint, err := u.t.Endpoint(ctx)
	if err != nil {
		return &Reindexed{}, faults.Of("the embedder", err)
	}
	made, err := u.t.Store.Reindex(store.Unmetered(ctx), endpoint, tell)
	return &Reindexed{Made: made}, faults.Of("the store", err)
}

// ReindexBeside is Reindex while others are served.
func (u *Upkeep) ReindexBeside(ctx context.Context) {
	if u.t.Reindexing.Acquire(ctx, 1) != nil {
		return
	}
	defer u.t.Reindexing.Release(1)
	switch done, err := u.Reindex(ctx, nil); {
	case err != nil && ctx.Err() == nil:
		u.t.WithoutModel(ctx, "vectors are still due; a server makes them later, and so does mneme rebuild", err)
	case done.Made > 0 && u.t.Embedder == nil:
		u.t.Log.Info("vectors were made of records that had none", "records", done.Made)
	}
}

// RebuildStep is how far a Rebuild is.
type RebuildStep = store.RebuildStep

// Rebuild makes anew what follows from the tenant's records, while others read and write, and tells how far it is.
func (u *Upkeep) Rebuild(ctx context.Context, tell func(RebuildStep)) error {
	if err := u.t.Store.Rebuild(store.Unmetered(ctx), tell); err != nil {
		return faults.Of("the store", err)
	}
	_, err := u.Reindex(ctx, func(step ReindexStep) { tell(RebuildStep{Part: "vectors", Done: step.Made}) })
	return err
}

// Discard deletes records that cannot be read, by their ids as Finding.Unreadable has them, and says how many. No
// tombstone stays, so that a backup or an earlier export brings them back. NOT_FOUND where none of them is unreadable.
func (u *Upkeep) Discard(ctx context.Context, ids []string) (int, error) {
	count, err := u.t.Store.Discard(store.Unmetered(ctx), ids)
	if err == nil && count == 0 {
		err = &memory.Error{Code: memory.CodeNotFound, Field: "unreadable", Message: "nothing that cannot be read has this id; mneme doctor names what cannot be read"}
	}
	return count, faults.Of("the store", err)
}

// HealthFinding is what came of examining one part of a tenant's memory.
type HealthFinding struct {
	Part  string
	Found string  // "" where it is nothing to tell
	Fault *string // nil where nothing is wrong
}

// Health is what the examination of a tenant's memory found.
type Health struct {
	Faults   int
	Findings []HealthFinding // those with a fault first
}

// Health examines the tenant, and tells of no other. It answers LIMIT_EXCEEDED where that takes longer than 20 s, and
// while another is examined: all is read, which must not be had many times at once.
func (u *Upkeep) Health(ctx context.Context) (*Health, error) {
	if !u.t.Examining.TryAcquire(1) {
		return nil, &memory.Error{Code: memory.CodeLimitExceeded, Message: "an examination is under way; ask again when it is done"}
	}
	defer u.t.Examining.Release(1)
	limited, cancel := context.WithTimeout(ctx, u.t.ExaminingTime)
	defer cancel()
	found, err := u.examiner.ExamineTenant(store.Unmetered(store.WithoutDamage(limited)), u.id)
	switch {
	case ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, ctx.Err()
	case errors.Is(limited.Err(), context.DeadlineExceeded):
		return nil, &memory.Error{Code: memory.CodeLimitExceeded, Message: "examining this memory takes longer than a request may; run mneme doctor where the server runs, which takes the time that it needs"}
	case err != nil:
		return nil, faults.Of("the store", err)
	}
	var faulty, whole []HealthFinding
	for _, f := range found {
		if f.Fault != "" {
			faulty = append(faulty, HealthFinding{Part: f.Part, Found: f.Found, Fault: &f.Fault})
		} else {
			whole = append(whole, HealthFinding{Part: f.Part, Found: f.Found, Fault: nil})
		}
	}
	return &Health{Faults: len(faulty), Findings: slices.Concat(faulty, whole)}, nil
}
