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
type Finding struct {
	Tenant   string `json:"tenant,omitempty"`
	Part     string `json:"part"`
	Found    string `json:"found"`
	Fault    string `json:"fault,omitempty"`  // "" where nothing is wrong
	Remedy   string `json:"remedy,omitempty"` // what to do about it
	Mendable bool   `json:"mendable"`         // Examine can do it
}

// Mending is a fault that was mended, or could not be.
type Mending struct {
	Tenant string `json:"tenant,omitempty"`
	Part   string `json:"part"`
	Fault  string `json:"fault"`
	Error  string `json:"error,omitempty"` // "" where it went well
}

// Examination is what was found and, where that was asked for, mended before.
type Examination struct {
	Findings []Finding
	Mended   []Mending
}

// mendRounds bounds how often the store is mended: what was hidden behind a fault is found once that is mended.
const mendRounds = 3

// Examine looks through the whole store, of all tenants, for what is broken. With mend it first makes
// anew what follows from other records, and removes those that cannot be read. It may take long, and others may write meanwhile.
func (s *Service) Examine(ctx context.Context, mend bool) (*Examination, error) {
	examination := &Examination{Findings: []Finding{}, Mended: []Mending{}}
	found, err := s.backend.Examine(ctx)
	tried := map[Mending]bool{}
	for round := 0; err == nil && mend && round < mendRounds; round++ {
		mended := mendAll(ctx, found, tried)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(mended) == 0 {
			break
		}
		examination.Mended = append(examination.Mended, mended...)
		found, err = s.backend.Examine(ctx)
	}
	if err != nil {
		return nil, fault("the store", err)
	}
	for i, m := range examination.Mended {
		if m.Error == "" {
			examination.Mended[i].Error = stays(m, found)
		}
	}
	for _, f := range found {
		examination.Findings = append(examination.Findings, Finding{
			Tenant: f.Tenant, Part: f.Part, Found: f.Found, Fault: f.Fault, Remedy: f.Remedy, Mendable: f.Mend != nil,
		})
	}
	return examination, nil
}

// mendAll mends each fault that can be and was not tried before. One that cannot does not keep the others from being
// mended.
func mendAll(ctx context.Context, findings []store.Finding, tried map[Mending]bool) (mended []Mending) {
	for _, f := range findings {
		done := Mending{Tenant: f.Tenant, Part: f.Part, Fault: f.Fault}
		if f.Mend == nil || tried[done] {
			continue
		}
		tried[done] = true
		if err := f.Mend(ctx); err != nil {
			done.Error = err.Error()
		}
		mended = append(mended, done)
	}
	return mended
}

// stays says what is there of a fault after it was mended. The words of a fault count what it is about, so that the
// rest of it has others.
func stays(m Mending, found []store.Finding) (says string) {
	for _, f := range found {
		switch {
		case f.Mend == nil || f.Tenant != m.Tenant || f.Part != m.Part:
		case f.Fault == m.Fault:
			return "it is still there"
		default:
			says = "this part still has a fault"
		}
	}
	return says
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
