// Package service holds the use cases of mneme: it validates, makes ids, redacts, hashes, embeds, and is
// the only caller of the store. Every front end calls these methods and nothing below them. Every
// error it returns is a *memory.Error, or the context's own error.
package service

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/compaction"
	"mneme/memory/decay"
	"mneme/memory/redaction"
	"mneme/store"
)

// DefaultTenant is whose memory a call works on unless its context names another.
const DefaultTenant = "default"

// Embedder turns texts into vectors of one length.
type Embedder interface {
	// Embed returns a vector for each text, in order.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Service is the use cases over one backend. It is safe for concurrent use.
type Service struct {
	backend  store.Backend
	log      *slog.Logger
	now      func() time.Time
	seed     func() uint64
	embedder Embedder // nil: no embedder, everything works without
	writer   Writer   // nil: no model, texts are written by rule
	// vectorLength is what every embedding must have; 0 means the tenant's first decides.
	vectorLength      int
	canvasIntegration bool
	rules             []redaction.Rule
	compaction        compaction.Level
	decay             decay.Policy
	waits             capture.TraceWaits
	tenants           sync.Map // tenant id → *tenant
}

// Option changes how a Service is built.
type Option func(*Service)

// WithLogger sets where the service logs; the default is slog's.
func WithLogger(log *slog.Logger) Option { return func(s *Service) { s.log = log } }

// WithClock sets the clock, for tests.
func WithClock(now func() time.Time) Option { return func(s *Service) { s.now = now } }

// WithSeeds sets how the draws between agents that are equally worth exploring are seeded, for tests; the
// default is random.
func WithSeeds(seed func() uint64) Option { return func(s *Service) { s.seed = seed } }

// WithEmbedder makes the service embed what it records and recalls, where the caller sends no
// vector. A failing embedder is logged and the call goes on without a vector.
func WithEmbedder(e Embedder) Option { return func(s *Service) { s.embedder = e } }

// WithWriter makes the service have a model write the insight of an episode that ended and brought none, and
// add to what a consolidation finds. A failing model is logged, and the rule's text stays.
func WithWriter(w Writer) Option { return func(s *Service) { s.writer = w } }

// WithVectorLength sets the length every embedding must have; 0 lets each tenant's first decide.
func WithVectorLength(n int) Option { return func(s *Service) { s.vectorLength = n } }

// WithoutCanvasIntegration turns canvas and feedback context and boosts off in every recall.
func WithoutCanvasIntegration() Option { return func(s *Service) { s.canvasIntegration = false } }

// WithRedaction adds rules by which secrets are taken out of every text before it is kept.
func WithRedaction(rules []redaction.Rule) Option { return func(s *Service) { s.rules = rules } }

// WithCompaction sets how much prose is shortened before it is kept; the default is lite.
func WithCompaction(level compaction.Level) Option { return func(s *Service) { s.compaction = level } }

// WithDecay sets the policy by which observations lose weight; the default is USE_FADES.
func WithDecay(policy decay.Policy) Option { return func(s *Service) { s.decay = policy } }

// WithTraceWaits sets when the spans of a trace are taken as all there are; the default is DefaultTraceWaits.
func WithTraceWaits(waits capture.TraceWaits) Option { return func(s *Service) { s.waits = waits } }

// New makes a Service over a backend, which stays the caller's to close.
func New(backend store.Backend, options ...Option) *Service {
	s := &Service{
		backend: backend, log: slog.Default(), now: time.Now, canvasIntegration: true,
		compaction: compaction.Lite, decay: decay.UseFades, waits: capture.DefaultTraceWaits(),
		seed: rand.Uint64,
	}
	for _, option := range options {
		option(s)
	}
	return s
}

// Ready answers nil where requests can be served now, else an UNAVAILABLE error.
func (s *Service) Ready(ctx context.Context) error {
	return fault("the store", s.backend.Check(ctx))
}

type tenantKey struct{}

// WithTenant names whose memory the calls made with the context work on.
func WithTenant(ctx context.Context, tenant string) context.Context {
	return context.WithValue(ctx, tenantKey{}, tenant)
}

// tenant is one tenant's store with the secret that hashes its inputs.
type tenant struct {
	id string
	store.Store
	inputKey []byte
	// lost is why there is no key; nil where there is one.
	lost     error
	accesses *accesses
	traces   *sweeper
}

// keyed is the error of what cannot be done without the input key; nil where there is one.
func (t *tenant) keyed() error { return fault("the tenant", t.lost) }

func (s *Service) tenant(ctx context.Context) (*tenant, error) {
	id, _ := ctx.Value(tenantKey{}).(string)
	if id == "" {
		id = DefaultTenant
	}
	if known, ok := s.tenants.Load(id); ok {
		return s.withKey(ctx, known.(*tenant)) //nolint:forcetypeassert // the map holds nothing else
	}
	bound, err := s.backend.Tenant(ctx, id)
	if err != nil {
		return nil, fault("the tenant", err)
	}
	key, lost, err := keyOf(ctx, bound)
	if err != nil {
		return nil, err
	}
	t, _ := s.tenants.LoadOrStore(id, &tenant{
		id: id, Store: bound, inputKey: key, lost: lost, accesses: newAccesses(bound.AddAccesses, s.clock, s.log),
		traces: newSweeper(func(ctx context.Context) (bool, error) { return s.FinishTraces(WithTenant(ctx, id)) }, s.waits.Quiet/2, s.log),
	})
	return t.(*tenant), nil //nolint:forcetypeassert // the map holds nothing else
}

// keyOf is the input key of a tenant, or why it is lost, which hinders only what needs it.
func keyOf(ctx context.Context, bound store.Store) (key []byte, lost, err error) {
	key, err = bound.InputKey(ctx)
	var damaged *store.Damaged
	if errors.As(err, &damaged) {
		return nil, err, nil
	}
	return key, nil, fault("the tenant", err)
}

// withKey gives a tenant whose key was lost another that was made meanwhile.
func (s *Service) withKey(ctx context.Context, t *tenant) (*tenant, error) {
	if t.lost == nil {
		return t, nil
	}
	key, lost, err := keyOf(ctx, t.Store)
	if err != nil || lost != nil {
		return t, err
	}
	mended := *t
	mended.inputKey, mended.lost = key, nil
	s.tenants.Store(t.id, &mended)
	return &mended, nil
}

// clock is the present in UTC with the millisecond precision that stores keep.
func (s *Service) clock() time.Time { return stamp(s.now()) }

func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

var _ memory.Node = (*memory.Episode)(nil)
