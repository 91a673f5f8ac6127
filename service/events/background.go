package events

import (
	"context"
	"sync"
)

// background is work that goes on while somebody has joined.
type background struct {
	run func(context.Context)

	mu      sync.Mutex
	joined  int
	stop    context.CancelFunc
	turn    chan struct{} // holds a value while one works: the work for those who left before may not be over
	running sync.WaitGroup
}

func newBackground(run func(context.Context)) *background {
	return &background{run: run, turn: make(chan struct{}, 1)}
}

// Join has it work until leave is called.
func (b *background) Join() (leave func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.joined++; b.joined == 1 {
		ctx, stop := context.WithCancel(context.Background())
		b.stop = stop
		b.running.Go(func() {
			b.turn <- struct{}{}
			defer func() { <-b.turn }()
			b.run(ctx)
		})
	}
	return sync.OnceFunc(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.joined--; b.joined == 0 {
			b.stop()
		}
	})
}

// Close ends the work, and returns when it has ended.
func (b *background) Close() {
	b.mu.Lock()
	if b.stop != nil {
		b.stop()
	}
	b.mu.Unlock()
	b.running.Wait()
}
