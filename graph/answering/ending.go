package answering

import (
	"context"
	"sync/atomic"
)

// Ending is what the resolvers of a subscription let know of it.
type Ending struct {
	// Why says why it ended, once its events are over; nil where nobody says.
	Why func() error
	// LeftOut says whether its present event is left out.
	LeftOut atomic.Bool
}

type endingKey struct{}

// WithEnding gives the context of a subscription an Ending.
func WithEnding(ctx context.Context) (context.Context, *Ending) {
	ending := new(Ending)
	return context.WithValue(ctx, endingKey{}, ending), ending
}

// EndingOf is that of the subscription of a context.
func EndingOf(ctx context.Context) *Ending {
	return ctx.Value(endingKey{}).(*Ending) //nolint:forcetypeassert // every subscription has one; see WithEnding
}
