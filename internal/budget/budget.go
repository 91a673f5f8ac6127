// Package budget bounds the memory that all requests take together: bodies, what is built of them, and answers.
package budget

import (
	"cmp"
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"mneme/memory"
)

// Budget is bytes of memory that requests share. A quarter is for requests that need at most Small, so that they never
// wait for larger ones; the larger ones share the rest.
type Budget struct {
	small, large *semaphore.Weighted
	maxLarge     int64               // bytes that one request can have
	arriving     *semaphore.Weighted // half of large, for bodies that are yet to come
	telling      *semaphore.Weighted // a third of large, for events of subscriptions
	wait         time.Duration
	waiting      *semaphore.Weighted
	// OnRefusal is told of each request that found no memory in time; nil for nobody. It must not wait.
	OnRefusal func()
}

const (
	// Default is how many bytes a budget has where nobody says otherwise.
	Default = 256 << 20
	// Least is how few bytes a budget may have.
	Least = 4 * Small
	// Small is how many bytes a small request gets, whatever less it asks for.
	Small = 1 << 20
	// maxWaiting is how many requests wait at once; more are refused, since each keeps a connection from others.
	maxWaiting = 256
	// step is how much more a request gets at once when it grows, so that it need not ask again soon.
	step = 1 << 20
)

// ErrBusy is answered where memory did not become free in time.
var ErrBusy = &memory.Error{Code: memory.CodeUnavailable, Message: "the server is busy with large requests; try again, or ask for less at once"}

// New makes a budget of so many bytes, Least or more, for which requests wait at most so long; Default and 10 s where
// they are zero.
func New(bytes int64, wait time.Duration) *Budget {
	bytes, wait = cmp.Or(bytes, Default), cmp.Or(wait, 10*time.Second)
	small := bytes / 4
	return &Budget{
		small: semaphore.NewWeighted(small), large: semaphore.NewWeighted(bytes - small), maxLarge: bytes - small,
		arriving: semaphore.NewWeighted((bytes - small) / 2), telling: semaphore.NewWeighted((bytes - small) / 3), wait: wait, waiting: semaphore.NewWeighted(maxWaiting),
	}
}

// Claim is what one request has of a budget. It is safe for concurrent use.
type Claim struct {
	budget *Budget

	mu           sync.Mutex
	small, large int64 // bytes
	telling      int64 // of large
	over         bool
}

// Claim begins one that has nothing yet. It must be released.
func (b *Budget) Claim() *Claim { return &Claim{budget: b} }

// Beside begins another claim on the same budget.
func (c *Claim) Beside() *Claim { return c.budget.Claim() }

type claimKey struct{}

// With gives a context a claim.
func With(ctx context.Context, claim *Claim) context.Context {
	return context.WithValue(ctx, claimKey{}, claim)
}

// Of is the claim of a context's request; one without bounds where it has none.
func Of(ctx context.Context) *Claim {
	if claim, ok := ctx.Value(claimKey{}).(*Claim); ok {
		return claim
	}
	return boundless.Claim()
}

// Acquire sees to it that the claim has so many bytes, or all that a request can have. Only a claim that has nothing
// waits: no request keeps memory from others while it waits for more. The error is ErrBusy, or the context's own.
func (c *Claim) Acquire(ctx context.Context, bytes int64) error {
	c.mu.Lock()
	empty := c.small+c.large == 0
	c.mu.Unlock()
	if !empty {
		if c.Grow(bytes) < bytes {
			return c.budget.busy()
		}
		return nil
	}
	part, need, has := c.budget.large, min(bytes, c.budget.maxLarge), &c.large
	if bytes <= Small {
		part, need, has = c.budget.small, Small, &c.small
	}
	if err := c.budget.await(ctx, part, need); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	*has += need
	if c.over { // while it waited
		c.keep(0)
		return ErrBusy
	}
	return nil
}

// Arrive is Acquire for a body that is yet to come. Until arrived is called it is one of those that share half of the
// memory for large requests, so bodies that come slowly leave the other half to what is answered.
func (c *Claim) Arrive(ctx context.Context, bytes int64) (arrived func(), err error) {
	if bytes <= Small {
		return func() {}, c.Acquire(ctx, bytes)
	}
	part, need := c.budget.arriving, min(bytes, c.budget.maxLarge/2)
	if err := c.budget.await(ctx, part, need); err != nil {
		return nil, err
	}
	if err := c.Acquire(ctx, bytes); err != nil {
		part.Release(need)
		return nil, err
	}
	return func() { part.Release(need) }, nil
}

// Tell is Acquire for an event of a subscription, which can wait for as long as its context lasts. Events share a third
// of the memory for large requests, so clients that take them slowly leave the rest to others. What one needs beyond
// that it has only where it is free.
func (c *Claim) Tell(ctx context.Context, bytes int64) error {
	b, need := c.budget, min(bytes, c.budget.maxLarge/3)
	if err := b.telling.Acquire(ctx, need); err != nil {
		return err
	}
	if err := b.large.Acquire(ctx, need); err != nil {
		b.telling.Release(need)
		return err
	}
	c.mu.Lock()
	c.large, c.telling = c.large+need, c.telling+need
	if c.over { // while it waited
		c.keep(0)
	}
	c.mu.Unlock()
	if c.Grow(bytes) < bytes {
		return b.busy()
	}
	return nil
}

func (b *Budget) await(ctx context.Context, part *semaphore.Weighted, need int64) error {
	if part.TryAcquire(need) {
		return nil
	}
	if !b.waiting.TryAcquire(1) {
		return b.busy()
	}
	defer b.waiting.Release(1)
	waiting, cancel := context.WithTimeout(ctx, b.wait)
	defer cancel()
	if part.Acquire(waiting, need) == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return b.busy()
}

func (b *Budget) busy() error {
	if b.OnRefusal != nil {
		b.OnRefusal()
	}
	return ErrBusy
}

// unbounded is more than any request takes.
const unbounded = 1 << 62

// boundless is a budget that never runs out.
var boundless = &Budget{
	small: semaphore.NewWeighted(unbounded), large: semaphore.NewWeighted(0), arriving: semaphore.NewWeighted(0), telling: semaphore.NewWeighted(0),
	maxLarge: 0, wait: 0, waiting: semaphore.NewWeighted(0), OnRefusal: nil,
}

// Has is how many bytes the request may take. With all that one can have, it is bounded by its own limits alone.
func (c *Claim) Has() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.has()
}

func (c *Claim) has() int64 {
	if c.large >= c.budget.maxLarge {
		return unbounded
	}
	return c.small + c.large
}

// Grow asks for so many bytes without waiting, and answers how many the request has then.
func (c *Claim) Grow(bytes int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	more := min(bytes-c.has()+step, c.budget.maxLarge-c.large)
	if bytes > c.has() && !c.over && c.budget.large.TryAcquire(more) {
		c.large += more
	}
	return c.has()
}

// Keep gives back all but so many bytes.
func (c *Claim) Keep(bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep(bytes)
}

func (c *Claim) keep(bytes int64) {
	if back := min(c.small+c.large-bytes, c.large); back > 0 {
		c.budget.large.Release(back)
		c.large -= back
	}
	if back := c.telling - c.large; back > 0 {
		c.budget.telling.Release(back)
		c.telling -= back
	}
	if back := c.small + c.large - bytes; back > 0 {
		c.budget.small.Release(back)
		c.small -= back
	}
}

// Release gives everything back, for good.
func (c *Claim) Release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	c.keep(0)
}
