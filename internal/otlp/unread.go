package otlp

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
)

// maxScopes is of how many scopes the log tells: their names are made up by clients.
const maxScopes = 100

// unread tells once of each scope that nothing is kept of its spans.
type unread struct {
	redacted func(string) string
	log      *slog.Logger

	mu   sync.Mutex
	told map[string]bool
}

func (u *unread) note(ctx context.Context, scopes map[string][]string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, scope := range slices.Sorted(maps.Keys(scopes)) {
		if u.told[scope] || len(u.told) == maxScopes {
			continue
		}
		u.told[scope] = true
		spans := scopes[scope]
		u.log.InfoContext(ctx, "nothing is kept of spans that tell of no agent, model or tool; this is said once of each scope",
			"scope", u.redacted(scope), "span", u.redacted(label(spans[0])), "spans", len(spans))
	}
}
