package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"mneme/internal/auth"
	"mneme/internal/inbound"
	"mneme/internal/openai"
	"mneme/internal/telemetry"
	"mneme/service/tenancy"
	"mneme/store"
)

// gatherPeriod is how often a server looks what waits.
const gatherPeriod = 30 * time.Second

// SetSignals sets what is sent out by the standard variables of OpenTelemetry (os.LookupEnv). Its error is a *Problem.
func (c *Config) SetSignals(lookup func(string) (string, bool)) (err error) {
	if c.Signals, err = telemetry.OutFromEnv(lookup); err != nil {
		return misuse("what is to be sent out by OpenTelemetry is not clear", err.Error()+".")
	}
	return nil
}

// newSignals makes the signals of a server.
func (c Config) newSignals(ctx context.Context, log *slog.Logger) (*telemetry.Signals, error) {
	kind := "neo4j"
	if c.Store == SQLite {
		kind = "sqlite"
	}
	made, err := telemetry.New(ctx, telemetry.Options{Out: c.Signals, Version: c.Version, Store: kind, Log: log})
	if err != nil {
		return nil, misuse("what is measured cannot be sent out", err.Error()+".")
	}
	return made, nil
}

// metrics answers what Prometheus asks for. They are of all tenants, so no key of a tenant opens them.
func (a *App) metrics(door *auth.Door) http.Handler {
	limited := auth.NewClientLimit(a.config.Connections.PerClient, a.config.Proxies, a.warning("too many requests of one client at once", telemetry.ClientLimit))
	return auth.Origins(door.Operator(limited.Guard(a.signals.Handler())))
}

// watch has the signals look at the server.
func (a *App) watch(ctx context.Context, connections *inbound.Connections) {
	backlog := new(atomic.Pointer[store.Backlog])
	a.resuming.Go(func() { a.gather(ctx, backlog) })
	a.signals.Watch(telemetry.Gauges{Pool: a.backend.Pool, Connections: connections.Open, Backlog: backlog})
}

// gather counts what waits from time to time, until the context ends, so that reading the metrics never asks the store.
func (a *App) gather(ctx context.Context, into *atomic.Pointer[store.Backlog]) {
	failed := false
	each(ctx, cmp.Or(a.config.gatherPeriod, gatherPeriod), func(ctx context.Context) {
		asking, cancel := context.WithTimeout(ctx, gatherPeriod)
		defer cancel()
		all, err := a.Service.Backlog(asking)
		if ctx.Err() != nil {
			return
		}
		if err != nil && !failed {
			a.log.WarnContext(ctx, "what waits cannot be counted", "error", err)
		}
		failed = err != nil
		into.Store(&all)
	})
}

// refused counts what is refused for a reason.
func (a *App) refused(why telemetry.Refusal) func() { return func() { a.signals.Refused(why) } }

// warning says now and again in the log what clients are refused for, and counts it.
func (a *App) warning(what string, why telemetry.Refusal) *inbound.RateLimitedWarning {
	return inbound.NewRateLimitedWarning(a.log, what, warningInterval).Counted(a.refused(why))
}

// measuredEndpoint has what an endpoint does measured, and the log told when it does not answer and when it does again.
func measuredEndpoint(endpoint openai.Options, operation string, signals *telemetry.Signals, log *slog.Logger) openai.Options {
	endpoint.OnRetry = func() { signals.Retried(operation) }
	endpoint.OnAway = func(away bool) {
		if away {
			log.Warn("a model does not answer and is left alone for a while; what is recorded meanwhile is completed later", "model", endpoint.Model)
			return
		}
		log.Info("a model answers again", "model", endpoint.Model)
	}
	endpoint.Around = func(ctx context.Context, call func(context.Context) error) error {
		err := signals.Model(ctx, operation, endpoint.Model, call)
		if errors.Is(err, openai.ErrAway) {
			return tenancy.ErrModelAway
		}
		return err
	}
	return endpoint
}

// traced are the routes whose requests are parts of traces: those that answer from the memory.
var traced = map[string]bool{"/graphql": true, "/mcp": true}

// beginning begins the measuring of a request.
type beginning func(*http.Request) (*http.Request, *telemetry.Request)

// begin measures requests by their routes, of those that there are.
func (a *App) begin(mux *http.ServeMux) beginning {
	return func(r *http.Request) (*http.Request, *telemetry.Request) {
		_, pattern := mux.Handler(r)
		route := strings.TrimSuffix(pattern[max(0, strings.IndexByte(pattern, '/')):], "/{$}") // without a method
		return a.signals.Request(r, route, traced[route])
	}
}
