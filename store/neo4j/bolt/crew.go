package bolt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"mneme/memory"
	"mneme/store"
)

// Crew does together what is asked for at the same time. An exchange with the server costs it and the driver several
// times what one item in it does; so what is asked for while exchanges are under way goes with the next, all at once.
// Where none is, nobody waits. What goes with a later exchange was asked for before that began, so a read sees every
// write that was acknowledged before. A write is done whole or not at all, and is answered after the commit.
type Crew[Q, A any] struct {
	// Do does some items in one exchange, and answers for each.
	Do func(ctx context.Context, items []Q) ([]A, error)
	// Most is how many items one exchange has. A call with more than half of it goes alone.
	Most int
	// AtOnce is how many exchanges there may be at once.
	AtOnce int
	// Reserve is how many calls wait for each exchange that is under way; where there are more, another begins.
	Reserve int
	// Within is how long an exchange of reads may take. It is nobody's: none waits for the turn of one request or pays
	// for it, and callers may leave. 0 is for writes: one that is alone goes in its own context.
	Within time.Duration

	mu       sync.Mutex
	underWay int
	waiting  []*call[Q, A]
}

// call is one that waits for its exchange.
type call[Q, A any] struct {
	ctx     context.Context // lives as long as the call, whose context it is
	items   []Q
	answers []A
	err     error
	taken   bool // its exchange began
	done    chan struct{}
}

// Ask has items done, or returns the context's error. A call whose context ends before its exchange began is not done;
// after that a write waits for the exchange, which ends no later than the context's deadline: what is under way when a
// client hears that it failed could come after what the client does next, a deletion of the same say.
func (c *Crew[Q, A]) Ask(ctx context.Context, items ...Q) ([]A, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(items) > c.Most/2 {
		return c.Do(ctx, items)
	}
	one := &call[Q, A]{ctx: ctx, items: items, done: make(chan struct{})}
	c.begin(one)
	select {
	case <-one.done:
	case <-ctx.Done():
		if c.leave(one) || c.Within > 0 {
			return nil, ctx.Err()
		}
		<-one.done
	}
	return one.answers, one.err
}

// begin lets a call wait, and an exchange begin where there may be another.
func (c *Crew[Q, A]) begin(one *call[Q, A]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = append(c.waiting, one)
	if len(c.waiting) > c.underWay*c.Reserve && c.underWay < c.AtOnce {
		c.underWay++
		go func() {
			for together := c.take(); len(together) > 0; together = c.take() {
				c.do(together)
			}
		}()
	}
}

// leave takes a call back whose exchange did not begin.
func (c *Crew[Q, A]) leave(one *call[Q, A]) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = slices.DeleteFunc(c.waiting, func(waiting *call[Q, A]) bool { return waiting == one })
	return !one.taken
}

// take takes what goes into the next exchange, in the order in which it came.
func (c *Crew[Q, A]) take() []*call[Q, A] {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken, items := 0, 0
	for taken < len(c.waiting) && (taken == 0 || items+len(c.waiting[taken].items) <= c.Most) {
		items += len(c.waiting[taken].items)
		c.waiting[taken].taken = true
		taken++
	}
	if taken == 0 {
		c.underWay--
	}
	together := slices.Clone(c.waiting[:taken])
	c.waiting = slices.Delete(c.waiting, 0, taken)
	return together
}

// do does calls in one exchange. Where that fails for what one of them may be the cause of, each is done alone.
func (c *Crew[Q, A]) do(calls []*call[Q, A]) {
	err := c.together(calls...)
	for _, one := range calls {
		if one.err = err; err != nil && len(calls) > 1 && !errors.Is(err, store.ErrUnavailable) {
			if one.err = one.ctx.Err(); one.err == nil {
				one.err = c.together(one)
			}
		}
		close(one.done)
	}
}

func (c *Crew[Q, A]) together(calls ...*call[Q, A]) error {
	var items []Q
	for _, one := range calls {
		items = append(items, one.items...)
	}
	ctx, cancel := c.contextOf(calls)
	defer cancel()
	answers, err := withoutPanic(func() ([]A, error) { return c.Do(ctx, items) })
	if err != nil && c.Within > 0 && ctx.Err() != nil { // of no caller's making
		return fmt.Errorf("%w: no answer within %s: %v", store.ErrUnavailable, c.Within, err) //nolint:errorlint // the deadline is ours, no caller's
	}
	for i := 0; i < len(calls) && err == nil; i++ {
		size := len(calls[i].items)
		calls[i].answers, answers = answers[:size:size], answers[size:]
	}
	return err
}

func (c *Crew[Q, A]) contextOf(calls []*call[Q, A]) (context.Context, context.CancelFunc) {
	askers := memory.Mapped(calls, func(one *call[Q, A]) context.Context { return one.ctx })
	ctx := store.OnBehalfOf(context.Background(), askers...)
	switch {
	case c.Within > 0:
		return context.WithTimeout(ctx, c.Within)
	case len(calls) == 1:
		return context.WithCancel(calls[0].ctx)
	default:
		return context.WithDeadline(ctx, earliestDeadline(askers))
	}
}

// earliestDeadline is when the first of those who ask must be answered.
func earliestDeadline(askers []context.Context) time.Time {
	earliest := time.Now().Add(WriteTime)
	for _, ctx := range askers {
		if deadline, has := ctx.Deadline(); has && deadline.Before(earliest) {
			earliest = deadline
		}
	}
	return earliest
}
