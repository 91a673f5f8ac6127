package events

import (
	"context"
	"errors"

	"mneme/store"
)

// Observer is told what becomes of subscriptions. It must be safe for concurrent use, and must not wait.
type Observer interface {
	// Opened is told of each subscription that begins.
	Opened()
	// Told is told of each event that was taken.
	Told()
	// Ended is told of each subscription that ended, or that was not opened because there are TooMany.
	Ended(why End)
}

// End is why a subscription ended.
type End string

// The ends of subscriptions.
const (
	// Left is by whoever subscribed, or by the server that closes.
	Left End = "left"
	// Slow is of one that did not take an event in time.
	Slow End = "slow"
	// Gone is of one whose next events are not kept any more.
	Gone End = "gone"
	// Failed is for a fault of the store or of the server.
	Failed End = "failed"
	// TooMany is of one that was not opened.
	TooMany End = "too_many"
)

// endOf is why a subscription ended, by its context and its error.
func endOf(ctx context.Context, err error) End {
	switch {
	case errors.Is(context.Cause(ctx), ErrNotTaken):
		return Slow
	case err == nil, errors.Is(err, context.Canceled):
		return Left
	case errors.Is(err, store.ErrNoticesGone):
		return Gone
	}
	return Failed
}

// unobserved is the observer of a feed that has none.
type unobserved struct{}

func (unobserved) Opened()   {}
func (unobserved) Told()     {}
func (unobserved) Ended(End) {}
