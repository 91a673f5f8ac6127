package store

import (
	"context"
	"sync"
	"sync/atomic"
)

// Turns bound how many reads a store does at once, and how many of those are one request's: one that asks for hundreds
// has only so many under way or in the queue, and leaves the others a place. They go in the order in which they come.
//
// A request is what WithBudget began. A read without one is bound by the whole alone. Who has a turn must not wait for
// another.
type Turns struct {
	all     chan struct{} // has an entry for each read under way
	each    int           // of one request at once
	waiting atomic.Int64
}

// NewTurns allows so many reads at once, and so many of them to one request.
func NewTurns(most, each int) *Turns { return &Turns{all: make(chan struct{}, most), each: each} }

// Pool says how many turns are in use, and how many reads wait for one.
func (t *Turns) Pool() Pool {
	return Pool{Used: len(t.all), Waiting: int(t.waiting.Load()), Most: cap(t.all)}
}

// Take waits for a turn, or returns the context's error. The turn must be given back by done, once.
func (t *Turns) Take(ctx context.Context) (done func(), err error) {
	t.waiting.Add(1)
	defer t.waiting.Add(-1)
	own := t.ofRequest(ctx)
	if err := enter(ctx, own); err != nil {
		return nil, err
	}
	if err := enter(ctx, t.all); err != nil {
		<-own
		return nil, err
	}
	return func() {
		<-t.all
		<-own
	}, nil
}

func enter(ctx context.Context, turns chan struct{}) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case turns <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// request is what a context is for, whatever of it is counted.
type request struct{ turns sync.Map } // chan struct{} by *Turns

type requestKey struct{}

// asRequest makes a context that of a request, unless it is one already.
func asRequest(ctx context.Context) context.Context {
	if ctx.Value(requestKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, requestKey{}, &request{})
}

// ofRequest has an entry for each turn of a context's request; for no request it is new.
func (t *Turns) ofRequest(ctx context.Context) chan struct{} {
	own := make(chan struct{}, t.each)
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		known, _ := r.turns.LoadOrStore(t, own)
		own, _ = known.(chan struct{}) // nothing else is in there
	}
	return own
}
