package app

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"

	"mneme/internal/auth"
	"mneme/internal/budget"
	"mneme/internal/gqlhttp"
	"mneme/internal/inbound"
	"mneme/internal/mcpserver"
	"mneme/internal/otlp"
	"mneme/internal/telemetry"
	"mneme/internal/web"
)

// recorder is where the spans of a request go.
func (a *App) recorder(ctx context.Context) (otlp.Recorder, error) {
	tenant, err := a.Service.Tenant(ctx)
	if err != nil {
		return nil, err
	}
	return tenant.Traces, nil
}

// routes maps every path. Those that tell nothing of the memory are open: the pages, and the probes,
// which orchestrators send without a key and under any name of the machine.
func (a *App) routes() http.Handler {
	mux := http.NewServeMux()
	door := a.door()
	guard := a.guard(door)
	mux.Handle("/graphql", guard(a.graphQL()))
	mux.Handle("/mcp", guard(a.mcp()))
	for what, handler := range map[string]http.Handler{
		"traces": otlp.Handler(a.recorder, a.Service.Redacted, a.log), "metrics": otlp.Ignored(), "logs": otlp.Ignored(),
	} {
		handler = guard(a.signals.Operations(telemetry.OTLP, "export", what, handler))
		mux.Handle("/v1/"+what, handler)
		mux.Handle("/v1/"+what+"/{$}", handler)
	}
	mux.Handle("GET /metrics", a.metrics(door))
	mux.Handle("/", door.Page(web.Handler()))
	mux.HandleFunc("GET /healthz", answerOK)
	mux.Handle("GET /readyz", &readiness{check: a.ready})
	memory := budget.New(a.config.MaxMemory, 0)
	memory.OnRefusal = a.refused(telemetry.NoRoom)
	redacted := a.Service.Redacted
	return withRequestID(redacted, logged(a.log, redacted, a.begin(mux), inbound.Guard(memory, inbound.DefaultTimes, mux)))
}

// door finds out who asks. Where the server listens beyond this machine, nobody is let in without a key.
func (a *App) door() *auth.Door {
	return &auth.Door{
		ServerKey: a.config.APIKey, Keys: a.Keys, OpenToThisMachine: auth.IsLoopback(a.config.Listen),
		Tokens: a.tokens, Wrong: auth.NewWrongKeys(a.config.Proxies, a.warning("wrong keys were presented", telemetry.WrongKey)), Log: a.log,
	}
}

// guard stands before all that answers from the memory. In order: may the request come from its origin, who asks, how
// often that key does, and how many there are. Nothing of a body is read before.
func (a *App) guard(door *auth.Door) func(http.Handler) http.Handler {
	limit := auth.NewClientLimit(a.config.Connections.PerClient, a.config.Proxies, a.warning("too many requests of one client at once", telemetry.ClientLimit))
	often := auth.NewKeyLimit(cmp.Or(a.config.RequestsPerKey, requestsPerKey), a.config.Proxies, a.warning("a key asks too often", telemetry.KeyLimit))
	return func(next http.Handler) http.Handler {
		guarded := door.Guard(named(often.Guard(limit.Guard(compressed(next)))))
		return auth.Origins(guarded, a.config.Origins...)
	}
}

func answerOK(w http.ResponseWriter, _ *http.Request) { answerText(w, http.StatusOK, "ok\n") }

func answerText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) // a client that is gone needs no answer
}

// readiness answers whether requests can be served now. As anyone may ask, it asks the store at most once a second.
type readiness struct {
	check func(context.Context) error
	mu    sync.Mutex
	at    time.Time
	err   error
}

// It does not take the request's context, since others wait for the same answer.
func (r *readiness) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.at) >= time.Second {
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		r.err, r.at = r.check(ctx), time.Now()
	}
	if r.err != nil {
		answerText(w, http.StatusServiceUnavailable, "not ready: the store cannot be used now\n")
		return
	}
	answerText(w, http.StatusOK, "ready\n")
}

// leastCompressed is the shortest answer that is compressed, in bytes: what fits into one packet anyway is not.
const leastCompressed = 1400

// compressed answers with zstd or gzip those that accept one of them, and only what is one whole text. Server-sent
// events go out as they are, each at once; a connection that changes to another protocol is none of its business.
func compressed(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.MinSize(leastCompressed), gzhttp.CompressionLevel(gzip.BestSpeed),
		gzhttp.ContentTypes([]string{"application/json", "application/graphql-response+json"}),
	)
	if err != nil {
		panic("app: " + err.Error()) // the options are constants
	}
	wrapped := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" {
			next.ServeHTTP(w, r)
			return
		}
		wrapped(w, r)
	})
}

// graphQL is the API over the app's memory.
func (a *App) graphQL() http.Handler {
	closing, closes := context.WithCancel(context.Background())
	a.server.RegisterOnShutdown(closes)
	return gqlhttp.NewHandler(a.Service, gqlhttp.Options{
		Log: a.log, Closing: closing, Keys: a.Keys, Trusted: a.trusted, Live: a.config.live, Signals: a.signals,
	})
}

// trustedDocuments reads the file that a configuration names; nil where it names none. Those of the pages are trusted
// with it, as they are a part of the program.
func (c Config) trustedDocuments() (*gqlhttp.Trusted, error) {
	if c.TrustedDocuments == "" {
		return nil, nil //nolint:nilnil // any document is answered
	}
	file, err := os.ReadFile(c.TrustedDocuments)
	if err != nil {
		return nil, &Problem{
			What: "the trusted documents " + c.TrustedDocuments + " cannot be read", Cause: errors.Unwrap(err), Misuse: true, // the path is said already
			Do: "Name a file that is there in MNEME_TRUSTED_DOCUMENTS or --trusted-documents, or none to answer any document.",
		}
	}
	trusted, err := gqlhttp.ReadTrusted(bytes.TrimPrefix(file, []byte("\uFEFF")), web.Documents())
	if err != nil {
		return nil, misuse("the trusted documents "+c.TrustedDocuments+" cannot be used: "+err.Error(),
			`It must be a JSON object of documents by their hash, {"…": "query …"}, as graphql-codegen and Relay write it, each valid for the schema of this version: have the client's build write it anew.`)
	}
	return trusted, nil
}

// mcp is the door for agents over the app's memory.
func (a *App) mcp() http.Handler {
	return mcpserver.Handler(mcpserver.New(a.Service, mcpserver.Options{Version: a.config.Version, Tools: a.config.Tools, Log: a.log, Signals: a.signals}))
}

// ServeMCP answers one agent over a pair of streams until in ends or the context does.
func (m *Memory) ServeMCP(ctx context.Context, in io.Reader, out io.Writer, config Config, log *slog.Logger) error {
	return mcpserver.Serve(ctx, mcpserver.New(m.Service, mcpserver.Options{Version: config.Version, Tools: config.Tools, Log: log}), in, out)
}
