package events

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"mneme/memory"
)

// noticePeriod is how often a tenant's notices are looked for while somebody waits for them.
const noticePeriod = 200 * time.Millisecond

// How many subscriptions there may be at once in a process, of a tenant and with one key.
const (
	MaxOfTenant = 256
	MaxOfKey    = 64
)

// watcher tells those who wait that something was recorded. There is one for each tenant and process, which looks only
// while somebody waits; who is told reads from the store, each at their own pace.
type watcher struct {
	// latest is the number of the latest notice; asking lets the store number what was committed.
	latest func(ctx context.Context) (int64, error)
	log    *slog.Logger

	mu     sync.Mutex
	joined int
	byKey  map[string]int
	at     int64
	news   chan struct{} // closed when there are, and then another
	work   *Work
}

func newWatcher(latest func(context.Context) (int64, error), log *slog.Logger) *watcher {
	w := &watcher{latest: latest, log: log, byKey: map[string]int{}, news: make(chan struct{})}
	w.work = newWork(w.run)
	return w
}

// join lets somebody wait, by the name of their key, until leave is called.
func (w *watcher) join(key string) (leave func(), err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.joined >= MaxOfTenant:
		return nil, memory.LimitExceeded("", "there are %d subscriptions of this tenant already; end others first", w.joined)
	case w.byKey[key] >= MaxOfKey:
		return nil, memory.LimitExceeded("", "there are %d subscriptions with this key already; end others first", w.byKey[key])
	}
	w.joined++
	w.byKey[key]++
	rest := w.work.Join()
	return sync.OnceFunc(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.joined--
		if w.byKey[key]--; w.byKey[key] == 0 {
			delete(w.byKey, key)
		}
		rest()
	}), nil
}

// state is the latest number that is known, and what is closed when there is a later one.
func (w *watcher) state() (at int64, news <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at, w.news
}

func (w *watcher) run(ctx context.Context) {
	ticks := time.NewTicker(noticePeriod)
	defer ticks.Stop()
	for failed := false; ctx.Err() == nil; {
		at, err := w.latest(ctx)
		switch {
		case err == nil:
			w.tell(at)
		case !failed && ctx.Err() == nil:
			w.log.Warn("events cannot be looked for; subscriptions wait", "error", err)
		}
		failed = err != nil
		select {
		case <-ctx.Done():
		case <-ticks.C:
		}
	}
}

// tell wakes those who wait, where the latest is another than before.
func (w *watcher) tell(at int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if at != w.at {
		w.at = at
		close(w.news)
		w.news = make(chan struct{})
	}
}
