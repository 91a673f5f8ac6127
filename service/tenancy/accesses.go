package tenancy

import (
	"context"
	"errors"
	"log/slog"
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

// accesses counts the reads of a tenant's observations. A goroutine lives only while something is
// waiting to be written; flush writes the rest.
type accesses struct {
	in  store.Records
	now func() time.Time
	log *slog.Logger

	mu      sync.Mutex
	waiting map[string]store.Access
	timer   *time.Timer
	writing sync.Mutex // one write at a time, so that flush returns after all of them
}

func newAccesses(in store.Records, now func() time.Time, log *slog.Logger) *accesses {
	return &accesses{in: in, now: now, log: log, waiting: map[string]store.Access{}}
}

// Note counts one read.
func (a *accesses) Note(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	access := a.waiting[key]
	a.waiting[key] = store.Access{Key: key, Count: access.Count + 1, At: a.now()}
	if a.timer == nil {
		a.timer = time.AfterFunc(accessWindow, a.window)
	}
}

// window writes what gathered. What cannot be written waits for another attempt.
func (a *accesses) window() {
	if err := a.Flush(context.Background()); err != nil {
		a.log.Warn("the accesses of observations could not be written; they wait", "error", err)
	}
}

// Flush writes all that waits, and returns after every write that began before it.
func (a *accesses) Flush(ctx context.Context) error {
	a.writing.Lock()
	defer a.writing.Unlock()
	taken := a.take()
	if len(taken) == 0 {
		return nil
	}
	for len(taken) > 0 {
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
	if a.timer != nil {
		a.timer.Stop()
		a.timer = nil
	}
	taken := make([]store.Access, 0, len(a.waiting))
	for _, access := range a.waiting {
		taken = append(taken, access)
	}
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
	if a.timer != nil {
		a.timer.Stop()
	}
	a.timer = time.AfterFunc(accessRetry, a.window)
}

// rest says that nothing waits to be written, or is being written.
func (a *accesses) rest() bool {
	if !a.writing.TryLock() {
		return false
	}
	defer a.writing.Unlock()
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.waiting) == 0
}
