package tenancy

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"mneme/store"
)

// accessWindow is how long reads of observations gather before they are written down together, so that
// a search does not wait for a write. Where that failed, the next attempt comes after accessRetry.
const (
	accessWindow = 50 * time.Millisecond
	accessRetry  = 5 * time.Second
)

// maxCounted is how many observations are counted in one transaction: each takes some kilobytes of a database's memory.
const maxCounted = 2000

// accesses counts the reads of a tenant's observations, and writes them in the background while some wait.
type accesses struct {
	in     store.Records
	now    func() time.Time
	log    *slog.Logger
	beside func(func(context.Context)) // does something in the background

	mu      sync.Mutex
	waiting map[string]store.Access
	working bool       // what waits is written in the background
	writing sync.Mutex // one write at a time, so that flush returns after all of them
}

func newAccesses(in store.Records, now func() time.Time, log *slog.Logger, beside func(func(context.Context))) *accesses {
	return &accesses{in: in, now: now, log: log, beside: beside, waiting: map[string]store.Access{}}
}

// Note counts one read.
func (a *accesses) Note(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	access := a.waiting[key]
	a.waiting[key] = store.Access{Key: key, Count: access.Count + 1, At: a.now()}
	if !a.working {
		a.working = true
		a.beside(a.write)
	}
}

// write writes what gathers until nothing waits. What cannot be written waits for another attempt.
func (a *accesses) write(ctx context.Context) {
	for wait := accessWindow; a.more(); {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = accessWindow
		if err := a.Flush(context.WithoutCancel(ctx)); err != nil {
			a.log.Warn("the accesses of observations could not be written; they wait", "error", err)
			wait = accessRetry
		}
	}
}

// more says whether some wait; where none do, the work in the background is over.
func (a *accesses) more() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.working = len(a.waiting) > 0
	return a.working
}

// Flush writes all that waits, and returns after every write that began before it.
func (a *accesses) Flush(ctx context.Context) error {
	a.writing.Lock()
	defer a.writing.Unlock()
	for taken := a.take(); len(taken) > 0; {
		part := taken[:min(len(taken), maxCounted)]
		_, err := store.Record(ctx, a.in, part)
		switch {
		case errors.Is(err, store.ErrReadOnly):
			return nil // a store that cannot be written counts nothing
		case err != nil:
			a.putBack(taken)
			return err
		}
		taken = taken[len(part):]
	}
	return nil
}

func (a *accesses) take() []store.Access {
	a.mu.Lock()
	defer a.mu.Unlock()
	taken := slices.Collect(maps.Values(a.waiting))
	clear(a.waiting)
	return taken
}

func (a *accesses) putBack(taken []store.Access) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, access := range taken {
		later, found := a.waiting[access.Key]
		if found {
			access.Count, access.At = access.Count+later.Count, later.At
		}
		a.waiting[access.Key] = access
	}
}
