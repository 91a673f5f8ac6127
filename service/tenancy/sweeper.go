package tenancy

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// sweeper finishes a tenant's traces in the background, by one sweep at a time. It works only while spans are held.
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

// Wake begins to sweep, or has the one that does look again.
func (w *sweeper) Wake() {
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

// Stop ends the work in the background and returns when it has ended. What is held stays held.
func (w *sweeper) Stop() {
	w.mu.Lock()
	w.stopped = true
	w.mu.Unlock()
	w.cancel()
	w.working.Wait()
}

// Beside does something in the background, until it is done or the tenant is closed.
func (w *sweeper) Beside(work func(context.Context)) {
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
