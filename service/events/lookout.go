package events

import (
	"context"
	"time"
)

// How often a lookout looks: after something was recorded at most once in lookPause, and once in lookPeriod for what
// follows from time alone, or from what no event tells of.
const (
	lookPause  = 2 * time.Second
	lookPeriod = time.Minute
)

// Lookout looks for what follows from records, as long as somebody waits for it. It is safe for concurrent use.
type Lookout struct {
	// Pause is the least between two looks, 2 s, and Period the most, a minute.
	Pause, Period time.Duration

	*background

	feed *Feed
	look func(context.Context)
}

// NewLookout makes a lookout, which calls look, never twice at once.
func (f *Feed) NewLookout(look func(context.Context)) *Lookout {
	l := &Lookout{Pause: lookPause, Period: lookPeriod, feed: f, look: look}
	l.background = newBackground(l.watch)
	return l
}

func (l *Lookout) watch(ctx context.Context) {
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
