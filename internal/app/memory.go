package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"

	"mneme/internal/openai"
	"mneme/internal/redact"
	"mneme/internal/telemetry"
	"mneme/service"
	"mneme/service/keyring"
	"mneme/store"
	"mneme/store/neo4j"
	"mneme/store/sqlite"
)

// Memory is an opened store with the service over it: what all commands but serve need.
type Memory struct {
	Service *service.Service
	Keys    *keyring.Keyring
	backend store.Backend
}

// Open opens the store that a configuration names. Its errors are *Problem, or the context's.
func Open(ctx context.Context, config Config, log *slog.Logger) (*Memory, error) {
	opened, err := open(ctx, config, log, watching{nil, telemetry.Silent(), nil})
	if err != nil {
		return nil, err
	}
	opened.Keys = keyring.New(opened.backend, slog.New(slog.DiscardHandler)) // whoever gave the command is told what became of a key
	return opened, nil
}

// watching is what a server wants to know of its memory: writes that a full or read-only disk refused, and metrics.
type watching struct {
	refused func(error)
	signals *telemetry.Signals
	store   store.Observer // nil for nobody
}

// open is Open that is watched.
func open(ctx context.Context, config Config, log *slog.Logger, watched watching) (*Memory, error) {
	if err := cmp.Or(config.checkStore(), config.checkEmbedder(), config.checkModel()); err != nil {
		return nil, err
	}
	options, err := serviceOptions(config, log, watched.signals)
	if err != nil {
		return nil, err
	}
	backend, err := openStore(ctx, config, watched)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, err
	}
	return &Memory{Service: service.New(backend, options...), Keys: keyring.New(backend, log), backend: backend}, nil
}

// bind makes sure that a memory that is served can be: a server that can never answer must not go on. Others are served
// though that of the default tenant is damaged.
func (m *Memory) bind(ctx context.Context, config Config) error {
	_, err := m.backend.Tenant(ctx, service.DefaultTenant)
	if known, _ := m.backend.Tenants(ctx); slices.ContainsFunc(known, func(id string) bool { return id != service.DefaultTenant }) {
		return nil
	}
	return lasting(config, err)
}

// checkKeys makes sure that the keys can be read, without which no request is answered.
func (m *Memory) checkKeys(ctx context.Context, config Config) error {
	_, err := m.backend.HasKeys(ctx)
	return lasting(config, err)
}

// lasting is the problem that a store's error is, nil where it is none or may pass.
func lasting(config Config, err error) error {
	if err == nil || errors.Is(err, store.ErrUnavailable) && !errors.Is(err, store.ErrStaleLog) { // which may pass
		return nil
	}
	return storeProblem(config, err)
}

// Describe names the store and where its data is.
func (m *Memory) Describe() string { return m.backend.Describe() }

// Close writes the accesses counted so far, finishes what is acknowledged and closes the store.
func (m *Memory) Close(ctx context.Context) error {
	return errors.Join(m.Service.Close(ctx), m.backend.Close(ctx))
}

func serviceOptions(config Config, log *slog.Logger, measured *telemetry.Signals) ([]service.Option, error) {
	options := []service.Option{func(s *service.Settings) {
		s.Log, s.VectorLength, s.Redaction, s.Compaction = log, config.Embedder.Dimensions, redact.Rules(), config.Compaction
		s.Decay, s.Consolidation, s.Waits, s.Events = config.Decay, config.Consolidation, config.Traces, measured
		s.CanvasIntegration, s.CanvasRules = config.CanvasIntegration, cmp.Or(config.CanvasRules, s.CanvasRules)
	}}
	if config.clock != nil {
		options = append(options, service.WithClock(config.clock))
	}
	if config.Embedder.URL != "" {
		client, err := openai.NewEmbedder(measuredEndpoint(config.Embedder, telemetry.Embeddings, measured, log))
		if err != nil {
			return nil, misuse(err.Error(), "Set MNEME_EMBEDDER_URL (such as https://api.openai.com/v1) and MNEME_EMBEDDER_MODEL.")
		}
		options = append(options, func(s *service.Settings) { s.Embedder = client })
	}
	if config.Model.URL != "" {
		client, err := openai.NewWriter(measuredEndpoint(config.Model, telemetry.Chat, measured, log))
		if err != nil {
			return nil, misuse(err.Error(), "Set MNEME_MODEL_URL (such as https://api.openai.com/v1) and MNEME_MODEL.")
		}
		options = append(options, service.WithWriter(client))
	}
	return options, nil
}

func openStore(ctx context.Context, config Config, watched watching) (backend store.Backend, err error) {
	embeddings := store.Embeddings{Made: config.Embedder.URL != "", Length: config.Embedder.Dimensions}
	if config.Store == SQLite {
		backend, err = sqlite.Open(ctx, sqlite.Options{
			Dir: config.Data, OnRefusal: watched.refused, WithoutVectors: config.Vectors == Off,
			Embeddings: embeddings, Observer: watched.store,
		})
	} else {
		if err = config.checkHost(ctx); err != nil {
			return nil, err
		}
		backend, err = neo4j.Open(ctx, neo4j.Options{
			URL: config.Store, User: config.Neo4j.User, Password: config.Neo4j.Password, Database: config.Neo4j.Database,
			WithoutVectors: config.Vectors == Off, Embeddings: embeddings, Observer: watched.store,
		})
	}
	if err != nil {
		return nil, storeProblem(config, err)
	}
	return backend, nil
}
