package events

import (
	"context"
	"sync"
	"time"
)

// Work goes on while somebody has joined. It is safe for concurrent use.
type Work struct {
	run func(context.Context)

	mu      sync.Mutex
	joined  int
	stop    context.CancelFunc
	turn    chan struct{} // holds a value while one works: the work for those who left before may not be over
	running sync.WaitGroup
}

func newWork(run func(context.Context)) *Work {
	return &Work{run: run, turn: make(chan struct{}, 1)}
}

// Join has it work until leave is called.
func (w *Work) Join() (leave func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.joined++; w.joined == 1 {
		ctx, stop := context.WithCancel(context.Background())
		w.stop = stop
		w.running.Go(func() {
			w.turn <- struct{}{}
			defer func() { <-w.turn }()
			w.run(ctx)
		})
	}
	return sync.OnceFunc(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.joined--; w.joined == 0 {
			w.stop()
		}
	})
}

// Close ends the work, and returns when it has ended.
func (w *Work) Close() {
	w.mu.Lock()
	if w.stop != nil {
		w.stop()
	}
	w.mu.Unlock()
	w.running.Wait()
}

// How often a lookout looks: after something was recorded at most once in lookPause, and once in lookPeriod for what
// follows from time alone, or from what no event tells of.
const (
	lookPause  = 2 * time.Second
	lookPeriod = time.Minute
)

// NewLookout looks for what follows from records as long as somebody waits for it, never twice at once, and every so
// often; 0 is as often as is usual.
func (f *Feed) NewLookout(every time.Duration, look func(context.Context)) *Work {
	least, most := lookPause, lookPeriod
	if every > 0 {
		least, most = every, every
	}
	return newWork(func(ctx context.Context) {
		period, pause := time.NewTicker(most), time.NewTimer(least)
		defer period.Stop()
		defer pause.Stop()
		for ctx.Err() == nil {
			_, news := f.watcher.state() // before it looks, so that nothing comes between
			look(ctx)
			pause.Reset(least)
			select {
			case <-ctx.Done():
				return
			case <-pause.C:
			}
			select {
			case <-ctx.Done():
			case <-news:
			case <-period.C:
			}
		}
	})
}
