package answering

import (
	"context"
	"sync"
	"sync/atomic"
)

// workers counts the goroutines at work on a response. When every one of them waits for a loader, nothing
// more will be asked for, so that what was asked for is read: at once, and in as few reads as can be. A
// timer instead would be too short on a busy machine and too long on an idle one.
type workers struct {
	mu      sync.Mutex
	working int
	helpers int      // goroutines of together, at work or waiting
	batches []func() // that gather keys
}

// maxHelpers bounds the goroutines of a response, so that lists in lists in lists do not take the memory before
// anything is counted. It is more than a level of most answers has, so that a level is read at once.
const maxHelpers = 512

// reserve takes on up to so many goroutines that are about to work, as there is room for.
func (c *workers) reserve(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n = max(min(n, maxHelpers-c.helpers), 0)
	c.helpers += n
	c.working += n
	return n
}

// release counts one of them out, who goes on as somebody else where stays is true.
func (c *workers) release(stays bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.helpers--
	if !stays {
		c.doneLocked()
	}
}

// add adds goroutines that are about to work.
func (c *workers) add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.working += n
}

// done is for a goroutine whose work is done.
func (c *workers) done() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.doneLocked()
}

// doneLocked counts a goroutine out, and starts reading where it was the last. The caller holds the lock.
func (c *workers) doneLocked() {
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
	workers := &of(ctx).workers
	workers.add(1)
	defer workers.done()
	return work(ctx)
}

// together does several things at the same time, as far as there is room for more goroutines, and returns when all are done.
// The caller's goroutine takes part. None may panic.
func together(ctx context.Context, n int, do func(index int)) {
	workers := &of(ctx).workers
	helpers := workers.reserve(n - 1)
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
		others.Go(func() { workers.release(work()) }) // the last hands its place over to the caller, who goes on
	}
	if !work() {
		workers.done()
	}
	others.Wait()
}
