package service

import (
	"context"
	"errors"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
)

// Finding is what came of examining one part of the store.
type Finding = store.Finding

// Examine looks through the whole store, of all tenants, for what is broken, and changes nothing. It may take long, and
// others may write meanwhile.
func (s *Service) Examine(ctx context.Context) ([]Finding, error) {
	found, err := s.backend.Examine(ctx)
	return found, fault("the store", err)
}

// Tenants lists those that have come into being, by id.
func (s *Service) Tenants(ctx context.Context) ([]string, error) {
	ids, err := s.backend.Tenants(ctx)
	return ids, fault("the store", err)
}

// RebuildStep is how far a Rebuild is.
type RebuildStep = store.RebuildStep

// Rebuild makes anew what follows from the tenant's records, while others read and write, and tells how far it is.
func (u *Upkeep) Rebuild(ctx context.Context, tell func(RebuildStep)) error {
	if err := u.store.Rebuild(store.Unmetered(ctx), tell); err != nil {
		return fault("the store", err)
	}
	_, err := u.Reindex(ctx, func(step ReindexStep) { tell(RebuildStep{Part: "vectors", Done: step.Made}) })
	return err
}

// Discard deletes records that cannot be read, by their ids as Finding.Unreadable has them, and says how many. No
// tombstone stays, so that a backup or an earlier export brings them back. NOT_FOUND where none of them is unreadable.
func (u *Upkeep) Discard(ctx context.Context, ids []string) (int, error) {
	count, err := u.store.Discard(store.Unmetered(ctx), ids)
	if err == nil && count == 0 {
		err = &memory.Error{Code: memory.CodeNotFound, Field: "unreadable", Message: "nothing that cannot be read has this id; mneme doctor names what cannot be read"}
	}
	return count, fault("the store", err)
}

// usualExaminingTime is how long a tenant is examined at most while somebody waits for the answer; a request has 30 s.
const usualExaminingTime = 20 * time.Second

// WithExaminingTime sets how long Health examines at most, for tests on a busy machine; the default is 20 s.
func WithExaminingTime(most time.Duration) Option { return func(s *Service) { s.examiningTime = most } }

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

// Health examines the tenant, and tells of no other. It answers LIMIT_EXCEEDED where that takes longer than 20 s, and while
// another is examined: all is read, which must not be had many times at once.
func (u *Upkeep) Health(ctx context.Context) (*Health, error) {
	if !u.examining.TryAcquire(1) {
		return nil, &memory.Error{Code: memory.CodeLimitExceeded, Message: "an examination is under way; ask again when it is done"}
	}
	defer u.examining.Release(1)
	limited, cancel := context.WithTimeout(ctx, u.examiningTime)
	defer cancel()
	found, err := u.examiner.ExamineTenant(store.Unmetered(store.WithoutDamage(limited)), u.id)
	switch {
	case ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, ctx.Err()
	case errors.Is(limited.Err(), context.DeadlineExceeded):
		return nil, &memory.Error{Code: memory.CodeLimitExceeded, Message: "examining this memory takes longer than a request may; run mneme doctor where the server runs, which takes the time that it needs"}
	case err != nil:
		return nil, fault("the store", err)
	}
	health := &Health{Findings: make([]HealthFinding, len(found))}
	for i, f := range found {
		health.Findings[i] = HealthFinding{Part: f.Part, Found: f.Found}
		if f.Fault != "" {
			health.Findings[i].Fault = &found[i].Fault
			health.Faults++
		}
	}
	slices.SortStableFunc(health.Findings, func(a, b HealthFinding) int { return whole(a) - whole(b) })
	return health, nil
}

func whole(f HealthFinding) int {
	if f.Fault == nil {
		return 1
	}
	return 0
}
