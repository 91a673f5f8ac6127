package service

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"mneme/memory"
	"mneme/store"
)

// sweeper finishes a tenant's traces in the background, by one sweep at a time. It works only while spans
// are held.
type sweeper struct {
	finish func(ctx context.Context) (more bool, err error)
	// pause is how long it waits before it looks again.
	pause time.Duration
	log   *slog.Logger

	mu       sync.Mutex
	sweeping bool
	again    bool // something arrived since a sweep began
	others   int  // what else is done in the background
	stopped  bool
	working  sync.WaitGroup
	ctx      context.Context // of the work in the background, ended by stop
	cancel   context.CancelFunc
}

func newSweeper(finish func(context.Context) (bool, error), pause time.Duration, log *slog.Logger) *sweeper {
	w := &sweeper{finish: finish, pause: max(pause, time.Millisecond), log: log}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	return w
}

// wake begins to sweep, or has the one that does look again.
func (w *sweeper) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.again = true
	if !w.sweeping && !w.stopped {
		w.sweeping = true
		w.working.Go(w.sweep)
	}
}

// sweep works until nothing is left.
func (w *sweeper) sweep() {
	for more := true; more; {
		select {
		case <-w.ctx.Done():
			return
		case <-time.After(w.pause):
		}
		w.mu.Lock()
		w.again = false
		w.mu.Unlock()
		held, err := w.finish(w.ctx)
		if err != nil && w.ctx.Err() == nil {
			w.log.Warn("traces could not be made episodes; they wait", "error", err)
		}
		w.mu.Lock()
		more = held || w.again
		w.sweeping = more
		w.mu.Unlock()
	}
}

// rests says that there is no work in the background, now or later.
func (w *sweeper) rests() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.sweeping && w.others == 0
}

// stop ends the work in the background and returns when it has ended. What is held stays held.
func (w *sweeper) stop() {
	w.mu.Lock()
	w.stopped = true
	w.mu.Unlock()
	w.cancel()
	w.working.Wait()
}

// Resume goes on with what waits for a server, of all tenants: spans that were held when the last one ended, vectors
// that are due, and what a store does in the background for a tenant that is bound.
func (s *Service) Resume(ctx context.Context) error {
	ids, err := s.backend.Due(ctx)
	failed := fault("the store", err)
	for _, id := range ids {
		failed = errors.Join(failed, s.resume(ctx, id))
	}
	return failed
}

func (s *Service) resume(ctx context.Context, id string) error {
	ctx, done := context.WithCancel(ctx)
	defer done()
	t, err := s.Tenant(WithTenant(ctx, id))
	if err != nil {
		return err
	}
	t.traces.wake()
	t.traces.beside(t.Upkeep.reindexBeside)
	return nil
}

// beside does something in the background, until it is done or the tenant is closed.
func (w *sweeper) beside(work func(context.Context)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.stopped {
		w.others++
		w.working.Go(func() {
			work(w.ctx)
			w.mu.Lock()
			defer w.mu.Unlock()
			w.others--
		})
	}
}

// ReindexStep is how far a Reindex is.
type ReindexStep = store.ReindexStep

// Reindexed says of how many records vectors were made.
type Reindexed struct {
	Made int `json:"made"`
}

// Reindex makes the vectors of the records that were written without, and tells how far it is.
func (u *Upkeep) Reindex(ctx context.Context, tell func(ReindexStep)) (*Reindexed, error) {
	endpoint, err := u.endpoint(ctx)
	if err != nil {
		return &Reindexed{}, fault("the embedder", err)
	}
	made, err := u.store.Reindex(store.Unmetered(ctx), endpoint, tell)
	return &Reindexed{Made: made}, fault("the store", err)
}

// reindexBeside is Reindex while others are served.
func (u *Upkeep) reindexBeside(ctx context.Context) {
	if u.reindexing.Acquire(ctx, 1) != nil {
		return
	}
	defer u.reindexing.Release(1)
	switch done, err := u.Reindex(ctx, nil); {
	case err != nil && ctx.Err() == nil:
		u.withoutModel(ctx, "vectors are still due; a server makes them later, and so does mneme rebuild", err)
	case done.Made > 0 && u.embedder == nil:
		u.log.Info("vectors were made of records that had none", "records", done.Made)
	}
}

// embedPause is how long a tenant's passages wait for the vectors of the embedder, and embedRest how long nobody uses a tenant before
// it is not looked at any more.
const embedPause, embedRest = time.Second, time.Minute

// embedBeside makes the vectors of what is written in a tenant as long as it is used.
func (s *Service) embedBeside(id string, t *Tenant) {
	if s.embedder == nil || !t.embedding.CompareAndSwap(false, true) {
		return
	}
	t.traces.beside(func(ctx context.Context) {
		for s.tenants.isUsed(id, s.now().Add(-embedRest)) {
			select {
			case <-ctx.Done():
				return
			case <-time.After(embedPause):
				t.Upkeep.reindexBeside(ctx)
			}
		}
		t.embedding.Store(false)
	})
}

// maxRetryDelay is the longest that a failed trace waits until it is tried again.
const maxRetryDelay = time.Hour

// maxReason is how many bytes are kept of the reason why a trace failed.
const maxReason = 300

// putOff delays the next attempt at a trace that failed, twice as long each time, so that it does not take the place of
// others. A store that cannot be used, or another process that was faster, is no failure of the trace.
func (t *Traces) putOff(ctx context.Context, trace *store.DueTrace, cause error) error {
	for _, passing := range []error{store.ErrUnavailable, store.ErrConflict, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(cause, passing) {
			return nil
		}
	}
	wait := min(t.waits.Quiet<<min(trace.Failures, 10), maxRetryDelay)
	return t.store.PutOffTrace(ctx, trace.Trace, store.TraceFailure{
		Failures: trace.Failures + 1, RetryAt: t.clock().Add(max(wait, time.Millisecond)), Reason: reasonOf(cause),
	})
}

// reasonOf is why a trace failed, for the operator who asks the doctor.
func reasonOf(cause error) string {
	var known *memory.Error
	if errors.As(cause, &known) {
		return known.Text()
	}
	text := cause.Error()
	return strings.ToValidUTF8(text[:min(len(text), maxReason)], "")
}

// DropTrace deletes the spans held of a trace, for good, and says how many there were. An episode that was made of the
// trace stays. On a dry run it only says how many there are.
func (u *Upkeep) DropTrace(ctx context.Context, trace string, dryRun bool) (int, error) {
	key, err := u.toDelete(ctx, memory.KindEpisode, "traceId", trace)
	if err != nil {
		return 0, err
	}
	var spans int
	if dryRun {
		spans, err = store.Count(ctx, u.store, store.SpansOf{Trace: key})
	} else {
		spans, err = u.store.Delete(ctx, store.KindSpan, []string{key})
	}
	return spans, fault("the trace", err)
}

// Backlog is what waits for a server to do it.
type Backlog = store.Backlog

// Backlog sums up what waits, of the tenants that are in use: those that were bound since it was called last, or of which
// something waited then. A tenant that cannot be asked counts for what it said last, and the error tells of one.
func (s *Service) Backlog(ctx context.Context) (all Backlog, failed error) {
	for _, t := range s.tenants.all() {
		last := t.backlog.Load()
		if asked := t.asked.Swap(false); asked || last != nil && *last != (Backlog{}) {
			now, err := t.Upkeep.store.Backlog(ctx)
			if err != nil {
				t.asked.Store(asked)
				failed = fault("what waits", err)
			} else {
				t.backlog.Store(&now)
				last = &now
			}
		}
		if last != nil {
			all.Add(*last)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return all, failed
}
