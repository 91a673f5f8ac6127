package otlp

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"mneme/memory/capture"
)

// silent are the spans of a scope of which nothing is kept but their place in the trace.
type silent struct {
	count int
	first string // what the first is called
}

// heard counts a span of a scope that was read.
func (r *received) heard(scope string, span *capture.Span) {
	if span.Kind != other {
		return
	}
	of := r.silent[scope]
	if of.count++; of.count == 1 {
		of.first = label(span.Name)
	}
	if r.silent == nil {
		r.silent = map[string]silent{}
	}
	r.silent[scope] = of
}

func (r *received) silentSpans() (n int) {
	for _, of := range r.silent {
		n += of.count
	}
	return n
}

// maxScopes is of how many scopes the log tells: their names are made up by clients.
const maxScopes = 100

// unread tells once of each scope that nothing is kept of its spans.
type unread struct {
	redacted func(string) string
	log      *slog.Logger

	mu   sync.Mutex
	told map[string]bool
}

func (u *unread) note(ctx context.Context, scopes map[string]silent) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, scope := range slices.Sorted(maps.Keys(scopes)) {
		if u.told[scope] || len(u.told) == maxScopes {
			continue
		}
		u.told[scope] = true
		of := scopes[scope]
		u.log.InfoContext(ctx, "nothing is kept of spans that tell of no agent, model or tool; this is said once of each scope",
			"scope", u.redacted(scope), "span", u.redacted(of.first), "spans", of.count)
	}
}
