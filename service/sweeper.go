package service

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// sweeper finishes a tenant's traces in the background, by one sweep at a time. It works only while spans
// are held.
type sweeper struct {
	finish func(ctx context.Context) (more bool, err error)
	// pause is how long it waits before it looks again.
	pause time.Duration
	log   *slog.Logger

	mu      sync.Mutex
	timer   *time.Timer
	running bool
	again   bool // something arrived while a sweep was running
	stopped bool
	sweeps  sync.WaitGroup
	ctx     context.Context //nolint:containedctx // of the work in the background, ended by stop
	cancel  context.CancelFunc
}

func newSweeper(finish func(context.Context) (bool, error), pause time.Duration, log *slog.Logger) *sweeper {
	w := &sweeper{finish: finish, pause: max(pause, time.Millisecond), log: log}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	return w
}

// wake sees to it that the next look comes.
func (w *sweeper) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running {
		w.again = true
		return
	}
	w.schedule()
}

// schedule sets the timer of the next sweep; w.mu is held.
func (w *sweeper) schedule() {
	if w.timer == nil && !w.stopped {
		w.sweeps.Add(1)
		w.timer = time.AfterFunc(w.pause, w.sweep)
	}
}

func (w *sweeper) sweep() {
	defer w.sweeps.Done()
	w.mu.Lock()
	w.timer, w.running, w.again = nil, true, false
	w.mu.Unlock()
	more, err := w.finish(w.ctx)
	if err != nil && w.ctx.Err() == nil {
		w.log.Warn("traces could not be made episodes; they wait", "error", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running = false
	if more || w.again {
		w.schedule()
	}
}

// stop ends the work in the background and returns when it has ended. What is held stays held.
func (w *sweeper) stop() {
	w.mu.Lock()
	w.stopped = true
	if w.timer != nil && w.timer.Stop() {
		w.sweeps.Done()
	}
	w.mu.Unlock()
	w.cancel()
	w.sweeps.Wait()
}

// Resume goes on with the spans that were held when the program ended last.
func (t *Traces) Resume() { t.traces.wake() }

// sweep is a look for complete traces in the background, which nobody has bound the tenant for.
func (t *Traces) sweep(ctx context.Context) (more bool, err error) {
	if err := t.findKey(ctx); err != nil {
		return false, err
	}
	return t.Finish(ctx)
}
