package answering

import "context"

// Ending is why a subscription ended, which its resolver lets know.
type Ending struct{ why func() error }

type endingKey struct{}

// WithEnding gives the context of a subscription a place to say why it ended.
func WithEnding(ctx context.Context) (context.Context, *Ending) {
	ending := new(Ending)
	return context.WithValue(ctx, endingKey{}, ending), ending
}

// Ends lets a function say why the subscription of a context ended, once its events are over.
func Ends(ctx context.Context, why func() error) {
	if ending, is := ctx.Value(endingKey{}).(*Ending); is {
		ending.why = why
	}
}

// Err is why the subscription ended; nil where nobody says. Ask once its events are over.
func (e *Ending) Err() error {
	if e.why == nil {
		return nil
	}
	return e.why()
}
