package loaders

import (
	"context"
	"sync"
	"sync/atomic"
)

// crew counts the goroutines at work on a response. When every one of them waits for a loader, nothing
// more will be asked for, so that what was asked for is read: at once, and in as few reads as can be. A
// timer instead would be too short on a busy machine and too long on an idle one.
type crew struct {
	mu      sync.Mutex
	working int
	batches []func() // that gather keys
}

// join adds goroutines that are about to work.
func (c *crew) join(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.working += n
}

// leave is for a goroutine whose work is done.
func (c *crew) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rest()
}

// rest counts a goroutine out, and starts reading where it was the last. The caller holds the lock.
func (c *crew) rest() {
	c.working--
	if c.working > 0 {
		return
	}
	for _, read := range c.batches {
		go read()
	}
	c.batches = nil
}

// Work does the work of one root field.
func Work[T any](ctx context.Context, work func(context.Context) T) T {
	crew := &From(ctx).crew
	crew.join(1)
	defer crew.leave()
	return work(ctx)
}

// Together does several things at the same time, the first of them on the caller's goroutine, and returns
// when all are done. None may panic.
func Together(ctx context.Context, n int, do func(index int)) {
	crew := &From(ctx).crew
	crew.join(n - 1)
	var left atomic.Int64
	left.Store(int64(n))
	finish := func(index int) {
		do(index)
		if left.Add(-1) > 0 { // the last hands its place over to the caller, who goes on
			crew.leave()
		}
	}
	var others sync.WaitGroup
	for i := 1; i < n; i++ {
		others.Go(func() { finish(i) })
	}
	finish(0)
	others.Wait()
}
