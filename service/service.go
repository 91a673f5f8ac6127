// Package service holds the use cases of mneme: it validates, makes ids, redacts, hashes, embeds, and is
// the only caller of the store. A front end binds a tenant once (Service.Tenant) and calls the methods of that handle,
// and nothing below them. Every error it returns is a *memory.Error, or the context's own error.
package service

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/compaction"
	"mneme/memory/decay"
	"mneme/memory/redaction"
	"mneme/service/events"
	"mneme/store"
)

// Embedder turns texts into vectors of one length.
type Embedder interface {
	// Embed returns a vector for each text, in order.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Service is a deployment: a backend, and how it is used. What it does for a tenant, it does through the handle that
// Tenant gives. It is safe for concurrent use.
type Service struct {
	settings
	backend store.Backend
	tenants *tenants
	// consolidated says when each tenant was, by ConsolidateIdle.
	consolidated map[string]time.Time
}

// settings are what a deployment decides for all of its tenants.
type settings struct {
	log      *slog.Logger
	now      func() time.Time
	seed     func() uint64
	embedder Embedder // nil: no embedder, everything works without
	writer   Writer   // nil: no model, texts are written by rule
	// vectorLength is what every embedding must have; 0 means the tenant's first decides, and the embedder for its own.
	vectorLength      int
	embedded          atomic.Int64 // the length of the embedder's vectors; 0 before the first
	modelTime         time.Duration
	canvasIntegration bool
	canvasRules       *memory.CanvasRules
	rules             []redaction.Rule
	compaction        compaction.Level
	decay             decay.Policy
	consolidation     time.Duration // see WithConsolidation
	waits             capture.TraceWaits
	events            events.Observer // nil for none
	looks             time.Duration   // how often alerts are looked for; 0 for what is usual
	// reading is held by who reads the whole log of a run, which may be long.
	reading *semaphore.Weighted
	// mining is held by who looks at the plans of a run.
	mining *semaphore.Weighted
	// reindexing lets one tenant at a time get its vectors in the background.
	reindexing *semaphore.Weighted
	// examiningTime is how long a tenant is examined at most.
	examiningTime time.Duration
	// examining is held by who has a tenant examined.
	examining *semaphore.Weighted
}

// Option changes how a Service is built.
type Option func(*Service)

// WithLogger sets where the service logs; the default is slog's.
func WithLogger(log *slog.Logger) Option { return func(s *Service) { s.log = log } }

// WithClock sets the clock, for tests.
func WithClock(now func() time.Time) Option { return func(s *Service) { s.now = now } }

// WithEmbedder makes the service embed passages after they were written, and what is recalled, where the caller sends no
// vector. A failing embedder is logged and the call goes on without a vector.
func WithEmbedder(e Embedder) Option { return func(s *Service) { s.embedder = e } }

// WithWriter makes the service have a model write the insight of an episode that ended and brought none, and
// add to what a consolidation finds. A failing model is logged, and the rule's text stays.
func WithWriter(w Writer) Option { return func(s *Service) { s.writer = w } }

// WithVectorLength sets the length every embedding must have; 0 lets each tenant's first decide.
func WithVectorLength(n int) Option { return func(s *Service) { s.vectorLength = n } }

// WithoutCanvasIntegration turns canvas and feedback context and boosts off in every recall.
func WithoutCanvasIntegration() Option { return func(s *Service) { s.canvasIntegration = false } }

// WithCanvasRules sets what canvases tell of the people who saw them; the default is DefaultCanvasRules. They must have
// passed their Check.
func WithCanvasRules(rules *memory.CanvasRules) Option {
	return func(s *Service) { s.canvasRules = rules }
}

// WithRedaction adds rules by which secrets are taken out of every text before it is kept.
func WithRedaction(rules []redaction.Rule) Option { return func(s *Service) { s.rules = rules } }

// WithCompaction sets how far prose is shortened before it is kept; the default, lite, changes white space only.
func WithCompaction(level compaction.Level) Option { return func(s *Service) { s.compaction = level } }

// WithDecay sets the policy by which observations lose weight; the default is USE_FADES.
func WithDecay(policy decay.Policy) Option { return func(s *Service) { s.decay = policy } }

// WithConsolidation sets after how long a tenant that rests is consolidated again; the default, 0, leaves it to those who ask.
func WithConsolidation(every time.Duration) Option {
	return func(s *Service) { s.consolidation = every }
}

// WithTraceWaits sets when a trace counts as complete; the default is DefaultTraceWaits.
func WithTraceWaits(waits capture.TraceWaits) Option { return func(s *Service) { s.waits = waits } }

// WithEvents has subscriptions observed.
func WithEvents(observer events.Observer) Option { return func(s *Service) { s.events = observer } }

// WithLooks sets how often alerts are looked for while somebody subscribes to them, for tests whose clock is their own.
func WithLooks(every time.Duration) Option { return func(s *Service) { s.looks = every } }

// WithTenantsKept sets how many tenants are kept in memory beside those in use, and how long one that nobody uses is; the default
// is 1,000 and ten minutes.
func WithTenantsKept(most int, idle time.Duration) Option {
	return func(s *Service) { s.tenants.most, s.tenants.idle = most, idle }
}

// New makes a Service over a backend, which stays the caller's to close.
func New(backend store.Backend, options ...Option) *Service {
	s := &Service{backend: backend, tenants: newTenants(), consolidated: map[string]time.Time{}, settings: settings{
		log: slog.Default(), now: time.Now, canvasIntegration: true, canvasRules: memory.DefaultCanvasRules(),
		compaction: compaction.Lite, decay: decay.UseFades, waits: capture.DefaultTraceWaits(),
		seed: rand.Uint64, modelTime: usualModelTime, reading: semaphore.NewWeighted(1), mining: semaphore.NewWeighted(maxMining), reindexing: semaphore.NewWeighted(1), examining: semaphore.NewWeighted(1), examiningTime: usualExaminingTime,
	}}
	for _, option := range options {
		option(s)
	}
	return s
}

// Ready answers nil where requests can be served now, else an UNAVAILABLE error.
func (s *Service) Ready(ctx context.Context) error {
	return fault("the store", s.backend.Check(ctx))
}

// clock is the present in UTC with the millisecond precision that stores keep.
func (s *settings) clock() time.Time { return stamp(s.now()) }

func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

func optionalStamp(t *time.Time) *time.Time {
	return mapped(t, stamp)
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
