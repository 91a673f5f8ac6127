package answering

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
	hired   int      // goroutines of together, at work or waiting
	batches []func() // that gather keys
}

// mostHired bounds the goroutines of a response, so that lists in lists in lists do not take the memory before
// anything is counted. It is more than a level of most answers has, so that a level is read at once.
const mostHired = 512

// hire takes on up to so many goroutines that are about to work, as there is room for.
func (c *crew) hire(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n = max(min(n, mostHired-c.hired), 0)
	c.hired += n
	c.working += n
	return n
}

// dismiss counts one of them out, who goes on as somebody else where stays is true.
func (c *crew) dismiss(stays bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hired--
	if !stays {
		c.rest()
	}
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
	crew := &of(ctx).crew
	crew.join(1)
	defer crew.leave()
	return work(ctx)
}

// together does several things at the same time, as far as the crew may grow, and returns when all are done.
// The caller's goroutine takes part. None may panic.
func together(ctx context.Context, n int, do func(index int)) {
	crew := &of(ctx).crew
	helpers := crew.hire(n - 1)
	var next, left atomic.Int64
	left.Store(int64(helpers + 1))
	work := func() (last bool) {
		for i := next.Add(1); i <= int64(n); i = next.Add(1) {
			do(int(i - 1))
		}
		return left.Add(-1) == 0
	}
	var others sync.WaitGroup
	for range helpers {
		others.Go(func() { crew.dismiss(work()) }) // the last hands its place over to the caller, who goes on
	}
	if !work() {
		crew.leave()
	}
	others.Wait()
}
