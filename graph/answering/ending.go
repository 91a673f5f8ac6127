package answering

import (
	"context"
	"sync/atomic"
)

// Ending is why a subscription ended, and whether its present event is left out, which its resolvers let know.
type Ending struct {
	why     func() error
	leftOut atomic.Bool
}

type endingKey struct{}

// WithEnding gives the context of a subscription a place to say so.
func WithEnding(ctx context.Context) (context.Context, *Ending) {
	ending := new(Ending)
	return context.WithValue(ctx, endingKey{}, ending), ending
}

// Ends lets a function say why the subscription of a context ended, once its events are over.
func Ends(ctx context.Context, why func() error) {
	if ending, ok := ctx.Value(endingKey{}).(*Ending); ok {
		ending.why = why
	}
}

// LeaveOut leaves out the present event of the subscription of a context.
func LeaveOut(ctx context.Context) {
	if ending, ok := ctx.Value(endingKey{}).(*Ending); ok {
		ending.leftOut.Store(true)
	}
}

// LeftOut says whether the present event is left out, once.
func (e *Ending) LeftOut() bool { return e.leftOut.Swap(false) }

// Err is why the subscription ended; nil where nobody says. Ask once its events are over.
func (e *Ending) Err() error {
	if e.why == nil {
		return nil
	}
	return e.why()
}
