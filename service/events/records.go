package events

import (
	"context"
	"time"
)

const (
	// settleTime is how long a store may take to show what it told of.
	settleTime = 50 * time.Millisecond
	// settleLooks is how often a record is looked for that a notice tells of and that is not there: it was deleted since,
	// or is seen a moment later.
	settleLooks = 3
)

// Record reads the record that an event names; nil where it is gone.
func Record[T any](ctx context.Context, key string, read func(context.Context, []string) ([]*T, error)) (*T, error) {
	for look := range settleLooks {
		if look > 0 && !settle(ctx) {
			return nil, ctx.Err()
		}
		found, err := read(ctx, []string{key})
		if err != nil {
			return nil, err
		}
		if found[0] != nil {
			return found[0], nil
		}
	}
	return nil, nil
}

// settle waits for as long as a store may take to show what it told of, and says whether the context lasted.
func settle(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(settleTime):
		return true
	}
}
