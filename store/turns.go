package store

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// Turns share the reads that a store does at once among requests, so that one that asks for hundreds keeps no other
// waiting for more than what is under way. A free turn goes to the request that had the fewest so far; every fourth
// to the one that waits longest, so that many small requests never hold up a large one for good.
//
// A request is what WithBudget began. A read without one has a request to itself. Who has a turn must not wait for
// another.
type Turns struct {
	most int // at once
	each int // of one request at once

	mu      sync.Mutex
	free    int
	given   int      // so far
	waiting []*share // those with reads that wait
	came    int      // reads so far
}

// fromTheFront is how often a turn goes to the one that waits longest.
const fromTheFront = 4

// NewTurns allows so many reads at once, and so many of them to one request.
func NewTurns(most, each int) *Turns { return &Turns{most: most, each: each, free: most} }

// Pool says how many turns are in use, and how many reads wait for one.
func (t *Turns) Pool() Pool {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := Pool{Used: t.most - t.free, Most: t.most}
	for _, s := range t.waiting {
		p.Waiting += len(s.queue)
	}
	return p
}

// share is what one request has of some turns. It is guarded by their mutex.
type share struct {
	underWay int
	had      int     // so far
	queue    []*turn // that wait, the first come first
}

// turn is one read that waits.
type turn struct {
	came  int // its number among all
	ready chan struct{}
}

// Take waits for a turn, or returns the context's error. The turn must be given back by done, once.
func (t *Turns) Take(ctx context.Context) (done func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s, mine := t.join(t.sharesOf(ctx))
	select {
	case <-mine.ready:
	case <-ctx.Done():
		if t.leave(s, mine) {
			return nil, ctx.Err()
		}
		t.giveBack(s) // it came meanwhile
		return nil, ctx.Err()
	}
	return func() { t.giveBack(s) }, nil
}

// join begins to wait, as the request whose next turn comes first: one that may have another now, and had the fewest.
func (t *Turns) join(shares []*share) (*share, *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	excess := func(s *share) int { return max(0, s.underWay+len(s.queue)-t.each+1) } // that must end before
	s := slices.MinFunc(shares, func(a, b *share) int {
		return cmp.Or(cmp.Compare(excess(a), excess(b)), cmp.Compare(a.had+len(a.queue), b.had+len(b.queue)))
	})
	t.came++
	mine := &turn{came: t.came, ready: make(chan struct{})}
	if s.queue = append(s.queue, mine); len(s.queue) == 1 {
		t.waiting = append(t.waiting, s)
	}
	t.give()
	return s, mine
}

// leave ends the wait for a turn, and says whether it had not come yet.
func (t *Turns) leave(s *share, mine *turn) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.Index(s.queue, mine)
	if at < 0 {
		return false
	}
	t.take(s, at)
	return true
}

func (t *Turns) giveBack(s *share) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.underWay--
	t.free++
	t.give()
}

// give hands out what is free.
func (t *Turns) give() {
	for t.free > 0 {
		next := t.next()
		if next == nil {
			return
		}
		t.free--
		t.given++
		next.underWay++
		next.had++
		close(t.take(next, 0).ready)
	}
}

// next is the request whose turn it is, nil where none waits that may have another.
func (t *Turns) next() (next *share) {
	before := func(a, b *share) bool { return a.had < b.had || a.had == b.had && a.queue[0].came < b.queue[0].came }
	if t.given%fromTheFront == fromTheFront-1 {
		before = func(a, b *share) bool { return a.queue[0].came < b.queue[0].came }
	}
	for _, s := range t.waiting {
		if s.underWay < t.each && (next == nil || before(s, next)) {
			next = s
		}
	}
	return next
}

// take takes a turn out of a request's queue.
func (t *Turns) take(s *share, at int) *turn {
	taken := s.queue[at]
	if s.queue = slices.Delete(s.queue, at, at+1); len(s.queue) == 0 {
		t.waiting = slices.DeleteFunc(t.waiting, func(other *share) bool { return other == s })
	}
	return taken
}

// request is what a context is for, whatever of it is counted.
type request struct{ shares sync.Map } // *share by *Turns

type requestKey struct{}

// asRequest makes a context that of a request, unless it is one already.
func asRequest(ctx context.Context) context.Context {
	if len(requestsOf(ctx)) > 0 {
		return ctx
	}
	return context.WithValue(ctx, requestKey{}, []*request{{}})
}

func requestsOf(ctx context.Context) []*request {
	requests, _ := ctx.Value(requestKey{}).([]*request)
	return requests
}

// InTurnOf makes a context one whose reads are for the requests of all the others: each takes a turn of that whose
// next comes first. They share nothing else.
func InTurnOf(ctx context.Context, others ...context.Context) context.Context {
	var requests []*request
	for _, other := range others {
		of := requestsOf(other)
		if len(of) == 0 {
			of = []*request{{}}
		}
		requests = append(requests, of...)
	}
	return context.WithValue(OnBehalfOf(ctx, others...), requestKey{}, requests)
}

// sharesOf are the shares of a context's requests, a new one for what belongs to none.
func (t *Turns) sharesOf(ctx context.Context) (shares []*share) {
	for _, of := range requestsOf(ctx) {
		kept, _ := of.shares.LoadOrStore(t, &share{})
		s, _ := kept.(*share) // nothing else is in there
		shares = append(shares, s)
	}
	if len(shares) == 0 {
		return []*share{{}}
	}
	return shares
}
