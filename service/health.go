package service

import (
	"context"
	"errors"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
)

// usualExaminingTime is how long a tenant is examined at most while somebody waits for the answer; a request has 30 s.
const usualExaminingTime = 20 * time.Second

// WithExaminingTime sets how long Health examines at most, for tests on a busy machine; the default is 20 s.
func WithExaminingTime(most time.Duration) Option { return func(s *Service) { s.examiningTime = most } }

// HealthFinding is what came of examining one part of a tenant's memory.
type HealthFinding struct {
	Part  string
	Found string  // "" where it is nothing to tell
	Fault *string // nil where nothing is wrong
	// Mendable says that Examine can mend it.
	Mendable bool
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
	found, err := u.examiner.ExamineTenant(store.WithoutDamage(limited), u.id)
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
		health.Findings[i] = HealthFinding{Part: f.Part, Found: f.Found, Mendable: f.Mend != nil}
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
