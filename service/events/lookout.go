package events

import (
	"context"
	"sync"
	"time"
)

// How often a lookout looks: after something was recorded at most once in lookPause, and once in lookPeriod for what follows from
// time alone, or from what no event tells of.
const (
	lookPause  = 2 * time.Second
	lookPeriod = time.Minute
)

// Lookout looks for what follows from records, as long as somebody waits for it. It is safe for concurrent use.
type Lookout struct {
	// Pause is the least between two looks, 2 s, and Period the most, a minute.
	Pause, Period time.Duration

	feed *Feed
	look func(context.Context)
	turn chan struct{} // holds a value while one looks

	mu      sync.Mutex
	joined  int
	stop    context.CancelFunc
	running sync.WaitGroup
}

// NewLookout makes a lookout, which calls look, never twice at once.
func (f *Feed) NewLookout(look func(context.Context)) *Lookout {
	return &Lookout{Pause: lookPause, Period: lookPeriod, feed: f, look: look, turn: make(chan struct{}, 1)}
}

// Join has it look until leave is called.
func (l *Lookout) Join() (leave func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.joined++; l.joined == 1 {
		ctx, stop := context.WithCancel(context.Background())
		l.stop = stop
		l.running.Go(func() { l.run(ctx) })
	}
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.joined--; l.joined == 0 {
			l.stop()
		}
	})
}

// Close ends looking, and returns when that has ended.
func (l *Lookout) Close() {
	l.mu.Lock()
	if l.stop != nil {
		l.stop()
	}
	l.mu.Unlock()
	l.running.Wait()
}

func (l *Lookout) run(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case l.turn <- struct{}{}: // the last look for those who left before may not be over
	}
	defer func() { <-l.turn }()
	period, pause := time.NewTicker(l.Period), time.NewTimer(l.Pause)
	defer period.Stop()
	defer pause.Stop()
	for ctx.Err() == nil {
		_, news := l.feed.watcher.state() // before it looks, so that nothing comes between
		l.look(ctx)
		pause.Reset(l.Pause)
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
}
