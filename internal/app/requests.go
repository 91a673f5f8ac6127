package app

import (
	"context"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"mneme/internal/telemetry"
	"mneme/memory/access"
	"mneme/memory/prose"
)

type requestKey struct{}

// request is what the log says of a request.
type request struct {
	id string
	// key names whose key it came with; empty until that is known.
	key atomic.Value
}

// attributes are what every line of the log says of a context's request.
func attributes(ctx context.Context) (all []slog.Attr) {
	asked, ok := ctx.Value(requestKey{}).(*request)
	if !ok {
		return nil
	}
	all = append(all, slog.String("request", asked.id))
	if key, ok := asked.key.Load().(string); ok && key != "" {
		all = append(all, slog.String("key", key))
	}
	return all
}

// named lets the log say who asks, by the prefix of the key.
func named(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked, ok := r.Context().Value(requestKey{}).(*request); ok {
			asked.key.Store(access.Of(r.Context()).Name)
		}
		next.ServeHTTP(w, r)
	})
}

// withRequestID gives every request an id, which its log lines and its answer carry: the caller's own
// X-Request-Id where it is a plain one and holds no secret, else a new one.
func withRequestID(redacted func(string) string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		if !plainIDs.MatchString(id) || redacted(id) != id {
			id = uuid.NewString()
		}
		w.Header().Set("X-Request-Id", id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestKey{}, &request{id: id})))
	})
}

// plainIDs are those that can neither break nor flood the log.
var plainIDs = regexp.MustCompile(`^[A-Za-z0-9_.:/+=-]{1,128}$`)

// NewLogger logs to a handler and adds the id of the request that it is called for, the prefix of its key, and where
// its trace is.
func NewLogger(handler slog.Handler) *slog.Logger { return slog.New(requestLog{handler}) }

type requestLog struct{ slog.Handler }

func (l requestLog) Handle(ctx context.Context, record slog.Record) error {
	record.AddAttrs(attributes(ctx)...)
	record.AddAttrs(telemetry.Attributes(ctx)...)
	return l.Handler.Handle(ctx, record)
}

func (l requestLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requestLog{l.Handler.WithAttrs(attrs)}
}

func (l requestLog) WithGroup(name string) slog.Handler { return requestLog{l.Handler.WithGroup(name)} }

// logged has each request measured, and logs it at level debug, or as an error where the server is at fault.
func logged(log *slog.Logger, redacted func(string) string, begin beginning, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		answer := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		r, measured := begin(r)
		ended := false
		defer func() {
			if !ended { // it panicked
				answer.status = http.StatusInternalServerError
			}
			measured.End(answer.status, answer.isStream())
		}()
		next.ServeHTTP(answer, r)
		ended = true
		level := slog.LevelDebug
		if answer.status >= http.StatusInternalServerError {
			level = slog.LevelError
		}
		if !log.Enabled(r.Context(), level) {
			return
		}
		shown := func(text string) string { return prose.ShortenBytes(redacted(text), longestShown) }
		log.LogAttrs(r.Context(), level, "request",
			slog.String("method", shown(r.Method)), slog.String("path", shown(r.URL.Path)),
			slog.Int("status", answer.status), slog.Duration("took", time.Since(began)))
	})
}

// longestShown is how much of a path is logged, in bytes.
const longestShown = 128

// statusWriter remembers the status. It passes on flushing, which streams need; the rest is found through Unwrap.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// isStream says whether the answer goes on for as long as the client likes.
func (w *statusWriter) isStream() bool {
	return w.status == http.StatusSwitchingProtocols || strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream")
}

func (w *statusWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
