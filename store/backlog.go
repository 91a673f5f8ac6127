package store

import "time"

// MaxBacklog is up to how many spans and records a Backlog counts.
const MaxBacklog = 10_000

// Backlog is what waits for a server to do it, so that somebody can see whether it does.
type Backlog struct {
	// Traces is how many traces have spans that are held, and Oldest when the first of those arrived; nil for none. It is
	// told from the first MaxBacklog spans.
	Traces int
	Oldest *time.Time
	// Compactions is how many files hold some of what was deleted until they are compacted.
	Compactions int
	// Vectors is how many records have vectors due (see Store.Reindex), up to MaxBacklog.
	Vectors int
}

// Add sums up what waits in several places.
func (b *Backlog) Add(other Backlog) {
	b.Traces += other.Traces
	b.Compactions += other.Compactions
	b.Vectors += other.Vectors
	if b.Oldest == nil || other.Oldest != nil && other.Oldest.Before(*b.Oldest) {
		b.Oldest = other.Oldest
	}
}
