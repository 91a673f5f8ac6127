package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"mneme/internal/auth"
	"mneme/internal/gqlhttp"
	"mneme/internal/inbound"
	"mneme/internal/telemetry"
	"mneme/service"
	"mneme/store/sqlite"
)

// The times within which a client must get on with its request.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = 60 * time.Second
	writeTimeout  = 120 * time.Second
	idleTimeout   = 120 * time.Second
	maxHeader     = 64 << 10
)

const (
	// warningInterval is how often the log is told what clients do again and again.
	warningInterval = 10 * time.Second
	// requestsPerKey is how many requests a second one key may make.
	requestsPerKey = 500
)

// App is mneme while it serves.
type App struct {
	*Memory
	config   Config
	log      *slog.Logger
	tokens   *auth.Tokens // nil for none
	trusted  *gqlhttp.Trusted
	listener net.Listener
	server   *http.Server
	signals  *telemetry.Signals
	failed   chan error
	// abort ends the requests that outlast the time to drain.
	abort context.CancelFunc
	// resuming goes on with what waited for a server.
	resuming sync.WaitGroup
}

// Start listens, opens the store and serves until Close. Its errors are *Problem, or the context's.
func Start(ctx context.Context, config Config, log *slog.Logger) (*App, error) {
	if err := cmp.Or(config.checkListen(), config.checkOIDC(), config.checkLocked(ctx, nil)); err != nil {
		return nil, err
	}
	trusted, err := config.trustedDocuments()
	if err != nil {
		return nil, err
	}
	// First the port, since that is quickly found to be taken; requests wait until the store is open.
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", config.Listen)
	if err != nil {
		return nil, listenProblem(config.Listen, err)
	}
	measured, err := config.newSignals(ctx, log)
	if err != nil {
		listener.Close()
		return nil, err
	}
	health := &storeHealth{log: log}
	memory, err := open(ctx, config, log, watching{health.refuse, measured, measured})
	if err != nil {
		listener.Close()
		return nil, errors.Join(err, measured.Close(ctx))
	}
	if err := cmp.Or(memory.checkKeys(ctx, config), config.checkLocked(ctx, memory.Keys), memory.bind(ctx, config)); err != nil {
		listener.Close()
		return nil, errors.Join(err, memory.Close(ctx), measured.Close(ctx))
	}
	bounded := inbound.Bound(listener, config.Connections, config.Proxies,
		inbound.NewRateLimitedWarning(log, "too many connections of one client", warningInterval).Counted(func() { measured.Refused(telemetry.Connections) }))
	requests, abort := context.WithCancel(context.WithoutCancel(ctx))
	a := &App{
		Memory: memory, config: config, log: log, signals: measured, trusted: trusted, listener: bounded, failed: make(chan error, 1), abort: abort,
		server: newServer(bounded, log),
	}
	a.server.BaseContext = func(net.Listener) context.Context { return requests }
	a.watch(requests, bounded)
	if config.OIDC.Issuer != "" {
		a.tokens = auth.NewTokens(config.OIDC, log)
		a.resuming.Go(func() { a.tokens.Run(requests) })
	}
	a.server.Handler = a.routes()
	a.resuming.Go(func() { // beside requests: it may bring files of many tenants to this version's schema
		if err := memory.Service.Resume(requests); err != nil && requests.Err() == nil {
			log.WarnContext(requests, "what waited for a server waits for the next one, or for a request of its tenant", "error", err)
		}
	})
	go func() {
		if err := a.server.Serve(bounded); !errors.Is(err, http.ErrServerClosed) {
			a.failed <- fmt.Errorf("serving at %s: %w", bounded.Addr(), err)
		}
	}()
	go health.watch(requests, a.ready)
	a.resuming.Go(func() {
		each(requests, trimPeriod, func(ctx context.Context) {
			memory.Service.TrimEvents(ctx)
			memory.Service.CloseIdle(ctx)
		})
	})
	a.resuming.Go(func() { each(requests, time.Minute, memory.Service.ConsolidateIdle) }) // apart, as it takes long
	return a, nil
}

// newServer serves connections within the times of clients; its handler is yet to come.
func newServer(connections *inbound.Connections, log *slog.Logger) *http.Server {
	return &http.Server{
		ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn), ConnState: connections.Follow, ConnContext: connections.Name,
	}
}

// ready says why requests cannot be answered now. Where keys are the only way in, they must be readable.
func (a *App) ready(ctx context.Context) error {
	if err := a.Service.Ready(ctx); err != nil || a.config.APIKey != "" || a.tokens != nil {
		return err
	}
	_, err := a.Keys.Any(ctx)
	return err
}

// Warnings are what whoever starts a server is to know, though it serves.
func (a *App) Warnings(ctx context.Context) (said []string) {
	if err := a.Service.Ready(ctx); err != nil {
		said = append(said, strings.TrimPrefix(err.Error(), "UNAVAILABLE: ")+". What there is can be read.")
	}
	if _, err := a.backend.Tenant(ctx, service.DefaultTenant); err != nil {
		said = append(said, "the memory of tenant "+service.DefaultTenant+" cannot be used: "+err.Error()+". Others are served.")
	}
	if none, err := a.Keys.NoneGood(ctx); none && err == nil && a.config.APIKey == "" && a.tokens == nil {
		said = append(said, "all keys are revoked or have expired, so nobody is let in. Make one: mneme keys create"+a.config.SameStore())
	}
	if a.config.Store == SQLite {
		if found := sqlite.Permissions(a.config.Data); found.Fault != "" {
			said = append(said, found.Fault+". "+found.Remedy)
		}
	}
	return said
}

// URL is where the app answers, as a client on this machine would write it.
func (a *App) URL() string {
	host, port, _ := net.SplitHostPort(a.listener.Addr().String())
	if net.ParseIP(host).IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// Wait returns nil when the context ends, or earlier the error that keeps the app from serving on.
func (a *App) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-a.failed:
		return err
	}
}

// Close takes no more requests, lets those under way finish until the context ends, and closes the
// store. Requests that outlast it are aborted; what was acknowledged is kept in any case.
func (a *App) Close(ctx context.Context) error {
	err := a.server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		a.log.WarnContext(ctx, "requests were still under way and were aborted")
		a.abort()
		err = a.server.Close()
	}
	a.abort()
	a.resuming.Wait()
	// The store gets its time even where the requests have used up theirs.
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err = errors.Join(err, a.Memory.Close(closing))
	sending, done := context.WithTimeout(context.WithoutCancel(ctx), sendTime)
	defer done()
	if unsent := a.signals.Close(sending); unsent != nil {
		a.log.WarnContext(ctx, "what was measured last could not be sent out", "error", unsent)
	}
	return err
}

// sendTime is how long a server that ends may take to send out what it measured last.
const sendTime = 2 * time.Second

// trimPeriod is how often old events are trimmed, and idle tenants closed.
const trimPeriod = 10 * time.Minute

// each does something at once and then from time to time, until the context ends.
func each(ctx context.Context, period time.Duration, do func(context.Context)) {
	ticks := time.NewTicker(period)
	defer ticks.Stop()
	for {
		do(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
	}
}
