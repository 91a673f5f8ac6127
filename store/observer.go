package store

import "context"

// Observer is told what a store asks of its database and how long that takes. It is called for every round trip, so it
// must be safe for concurrent use, quick, and must not wait.
type Observer interface {
	// Begin is told that a round trip begins, by its name of a closed set: that of a statement on Neo4j, one of Read,
	// Snapshot and Write on SQLite, and Commit on both. The context is that of whoever asks, or one whose Askers do;
	// nobody asks for a commit of SQLite. What it answers is called once, when the round trip has ended, with its error.
	Begin(ctx context.Context, name string) (end func(error))
	// Statements is told how many statements ran in a round trip of several.
	Statements(count int)
}

// The names of round trips that are no statements.
const (
	// Read is a read of SQLite, with the wait for its turn.
	Read = "read"
	// Snapshot is a read of several statements that see one state.
	Snapshot = "snapshot"
	// Write is a write of SQLite, until it is committed.
	Write = "write"
	// Commit ends a transaction, on SQLite of all writes that wait together.
	Commit = "commit"
)

// Begin asks an observer, which may be nil, and answers what is to be called at the end.
func Begin(ctx context.Context, o Observer, name string) (end func(error)) {
	if o == nil {
		return ended
	}
	return o.Begin(ctx, name)
}

func ended(error) {}

type askersKey struct{}

// OnBehalfOf makes a context one of work that is done for several others at once, which share nothing with it.
func OnBehalfOf(ctx context.Context, others ...context.Context) context.Context {
	return context.WithValue(ctx, askersKey{}, others)
}

// Askers are the contexts that a context's work is done for; none where it is done for its own.
func Askers(ctx context.Context) []context.Context {
	others, _ := ctx.Value(askersKey{}).([]context.Context)
	return others
}

// Pool is how much a store reads at once.
type Pool struct {
	Used    int // reads that are under way
	Waiting int // reads that wait for their turn
	Most    int // reads that there may be at once
}
