// Package service is the front of the use cases, which are in the rooms below it. A front end binds a tenant once
// (Service.Tenant) and calls the methods of that handle's groups, and nothing below them. They let inputs in by package
// boundary, and alone call the store. Every error they return is a *memory.Error, or the context's own.
package service

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"mneme/memory/capture"
	"mneme/memory/redaction"
	"mneme/service/boundary"
	"mneme/service/events"
	"mneme/service/faults"
	"mneme/service/tenancy"
	"mneme/store"
)

// Service is a deployment: a backend, and how it is used. What it does for a tenant, it does through the handle that
// Tenant gives. It is safe for concurrent use.
type Service struct {
	settings Settings
	backend  store.Backend
	tenants  *tenants
	// consolidated says when each tenant was, by ConsolidateIdle.
	consolidated map[string]time.Time
}

// Settings are what a deployment decides.
type Settings struct {
	*tenancy.Settings
	// Events has subscriptions observed; nil for not.
	Events events.Observer
	// Looks is how often alerts are looked for while somebody subscribes to them; 0 for what is usual.
	Looks time.Duration
	// Consolidation is after how long a resting tenant is consolidated again; 0, which is usual, leaves it to callers.
	Consolidation time.Duration
	// TenantIdle is how long a tenant that nobody uses is kept in memory, ten minutes.
	TenantIdle time.Duration
}

// Option changes the settings of a Service.
type Option func(*Settings)

// WithLogger sets where the service logs; the default is slog's.
func WithLogger(log *slog.Logger) Option { return func(s *Settings) { s.Log = log } }

// WithClock sets the clock, for tests.
func WithClock(now func() time.Time) Option { return func(s *Settings) { s.Now = now } }

// WithWriter makes the service have a model write the insight of an episode that ended and brought none, and
// add to what a consolidation finds. A failing model is logged, and the rule's text stays.
func WithWriter(w tenancy.Writer) Option { return func(s *Settings) { s.Writer = w } }

// WithRedaction adds rules by which secrets are taken out of every text before it is kept.
func WithRedaction(rules []redaction.Rule) Option { return func(s *Settings) { s.Redaction = rules } }

// WithTraceWaits sets when a trace counts as complete; the default is DefaultTraceWaits.
func WithTraceWaits(waits capture.TraceWaits) Option { return func(s *Settings) { s.Waits = waits } }

// New makes a Service over a backend, which stays the caller's to close.
func New(backend store.Backend, options ...Option) *Service {
	settings := Settings{
		Settings: tenancy.UsualSettings(), Events: nil, Looks: 0, Consolidation: 0, TenantIdle: tenantIdle,
	}
	for _, option := range options {
		option(&settings)
	}
	return &Service{settings: settings, backend: backend, tenants: &tenants{byID: map[string]*keptTenant{}}, consolidated: map[string]time.Time{}}
}

// Ready answers nil where requests can be served now, else an UNAVAILABLE error.
func (s *Service) Ready(ctx context.Context) error {
	return faults.Of("the store", s.backend.Check(ctx))
}

// Limits are what one request may take while it is answered.
type Limits = store.Limits

// Budget counts what one request has taken so far.
type Budget = store.Budget

// ErrNoRoom ends a request that needs more memory than there is now.
var ErrNoRoom = store.ErrNoRoom

// MaxSummed is how many records a request of a client may have gone through for several sums of them: about two
// seconds' work.
const MaxSummed = 150_000

// WithBudget gives a context a budget: what is read for it is counted, and the context ends when the budget is used up.
// Consolidating, completing a run, pruning, linking and deleting are not counted, since they keep little of what they
// read and have bounds of their own; sums over a history count against Limits.Summed. Call the returned function when
// the request is done.
func WithBudget(ctx context.Context, limits Limits) (context.Context, *Budget, context.CancelFunc) {
	return store.WithBudget(ctx, limits)
}

// BudgetOf is the context's budget, nil where it has none; a nil one can be asked, and counts nothing.
func BudgetOf(ctx context.Context) *Budget { return store.BudgetOf(ctx) }

// Resume goes on with what waits for a server, of all tenants: spans that were held when the last one ended, vectors
// that are due, and what a store does in the background for a tenant that is bound.
func (s *Service) Resume(ctx context.Context) error {
	ids, err := s.backend.Due(ctx)
	failed := faults.Of("the store", err)
	for _, id := range ids {
		failed = errors.Join(failed, s.resume(ctx, id))
	}
	return failed
}

func (s *Service) resume(ctx context.Context, id string) error {
	ctx, done := context.WithCancel(ctx)
	defer done()
	t, err := s.Tenant(WithTenant(ctx, id))
	if err != nil {
		return err
	}
	t.tenant.Background.Wake()
	t.tenant.Background.Beside(t.Upkeep.ReindexBeside)
	return nil
}

// embedPause is how long a tenant's passages wait for the vectors of the embedder, and embedRest how long nobody uses a
// tenant before it is not looked at any more.
const embedPause, embedRest = time.Second, time.Minute

// embedBeside makes the vectors of what is written in a tenant as long as it is used.
func (s *Service) embedBeside(id string, t *Tenant) {
	if s.settings.Embedder == nil || !t.embedding.CompareAndSwap(false, true) {
		return
	}
	t.tenant.Background.Beside(func(ctx context.Context) {
		for s.tenants.isUsed(id, s.settings.Now().Add(-embedRest)) {
			select {
			case <-ctx.Done():
				return
			case <-time.After(embedPause):
				t.Upkeep.ReindexBeside(ctx)
			}
		}
		t.embedding.Store(false)
	})
}

// Backlog is what waits for a server to do it.
type Backlog = store.Backlog

// Backlog sums up what waits, of the tenants that are in use: those that were bound since it was called last, or of
// which something waited then. A tenant that cannot be asked counts for what it said last, and the error tells of one.
func (s *Service) Backlog(ctx context.Context) (all Backlog, failed error) {
	for _, t := range s.tenants.all() {
		last := t.backlog.Load()
		if asked := t.asked.Swap(false); asked || last != nil && *last != (Backlog{}) {
			now, err := t.tenant.Store.Backlog(ctx)
			if err != nil {
				t.asked.Store(asked)
				failed = faults.Of("what waits", err)
			} else {
				t.backlog.Store(&now)
				last = &now
			}
		}
		if last != nil {
			all.Add(*last)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return all, failed
}

// Finding is what came of examining one part of the store.
type Finding = store.Finding

// Examine looks through the whole store, of all tenants, for what is broken, and changes nothing. It may take long, and
// others may write meanwhile.
func (s *Service) Examine(ctx context.Context) ([]Finding, error) {
	found, err := s.backend.Examine(ctx)
	return found, faults.Of("the store", err)
}

// Tenants lists those that have come into being, by id.
func (s *Service) Tenants(ctx context.Context) ([]string, error) {
	ids, err := s.backend.Tenants(ctx)
	return ids, faults.Of("the store", err)
}

// close ends the work in the background and writes down what still waits to be counted.
func (t *Tenant) close(ctx context.Context) error {
	t.tenant.Background.Stop()
	t.Live.Close()
	return t.tenant.Accesses.Flush(ctx)
}

// Close ends the work in the background and writes down what still waits to be counted, as far as the context lets it.
// The backend must be open; call it before the backend's own Close.
func (s *Service) Close(ctx context.Context) error {
	var first error
	for _, t := range s.tenants.all() {
		switch err := t.close(ctx); {
		case errors.Is(err, store.ErrDiskFull): // no reason for a read to fail
			s.settings.Log.WarnContext(ctx, "the latest accesses of observations were not counted", "error", err)
		case err != nil && first == nil:
			first = err
		}
	}
	return faults.Of("the observation", first)
}

// ConsolidateIdle consolidates the tenants that nobody uses at present, each once in the time that is configured. It is
// called by one caller at a time, and ends with the context.
func (s *Service) ConsolidateIdle(ctx context.Context) {
	if s.settings.Consolidation == 0 {
		return
	}
	now := s.settings.Now()
	for _, id := range s.tenants.quiet(now.Add(-embedRest)) {
		if last, was := s.consolidated[id]; was && now.Sub(last) < s.settings.Consolidation {
			continue
		}
		s.consolidated[id] = now
		if err := s.consolidate(ctx, id); err != nil && ctx.Err() == nil {
			s.settings.Log.WarnContext(ctx, "a memory was not consolidated; it waits for the next time", "tenant", id, "error", err)
		}
	}
}

// consolidate goes through all parts of a consolidation.
func (s *Service) consolidate(ctx context.Context, id string) error {
	ctx, done := context.WithCancel(WithTenant(ctx, id))
	defer done()
	t, err := s.Tenant(ctx)
	if err != nil {
		return err
	}
	for input := (boundary.ConsolidateInput{DryRun: new(false)}); ; {
		part, err := t.Upkeep.Consolidate(ctx, input)
		if err != nil || !part.HasMore {
			return err
		}
		input.AfterAgentID = part.LastAgentID
	}
}

// Redacted is a text as the write boundary lets it through, for messages that repeat what was sent.
func (s *Service) Redacted(text string) string {
	redactor := s.settings.Redactor(context.Background())
	return redactor.Text(text)
}
