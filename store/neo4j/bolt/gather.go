package bolt

import (
	"context"
	"fmt"
	"time"

	"mneme/store"
)

// Gatherer asks together for single records that are wanted at the same time. A round trip costs the
// server and the driver more than the record in it does; so what is wanted while one is under way goes with
// the next, all at once. Where none is, nobody waits; where many wait, there are several.
//
// A read that goes with a later round trip was asked for before that began, so it sees every write that
// was acknowledged before it was asked.
type Gatherer[V any] struct {
	// Ask reads values in the order of the keys, the zero value where there is none.
	Ask func(ctx context.Context, keys []string) ([]V, error)

	crew crew[*want[V]]
}

const (
	// inReserve is how many have to wait for each round trip that is under way before there is another.
	inReserve = 16
	// maxUnderWay is how many round trips of a gatherer there may be at once.
	maxUnderWay = 8
	// maxGathered is how many records one round trip asks for at most.
	maxGathered = 100
	// gatheringTime ends a round trip, whose callers may all have left.
	gatheringTime = 30 * time.Second
)

// want is a record that somebody waits for.
type want[V any] struct {
	of    context.Context // of who waits
	key   string
	value V
	err   error
	done  chan struct{}
}

// Get reads one record, or returns the context's error.
func (g *Gatherer[V]) Get(ctx context.Context, key string) (V, error) {
	w := &want[V]{of: ctx, key: key, done: make(chan struct{})}
	g.crew.call(w, inReserve, maxUnderWay, g.take, g.answer)
	select {
	case <-w.done:
		return w.value, w.err
	case <-ctx.Done():
		return *new(V), ctx.Err()
	}
}

// take takes what the next round trip asks for. A key that is wanted twice goes with two round trips, so that nobody
// shares what was read.
func (g *Gatherer[V]) take(wanted []*want[V]) (together, later []*want[V]) {
	keys := make(map[string]bool, len(wanted))
	for _, w := range wanted {
		if keys[w.key] || len(together) == maxGathered {
			later = append(later, w)
			continue
		}
		keys[w.key] = true
		together = append(together, w)
	}
	return together, later
}

func (g *Gatherer[V]) answer(wanted []*want[V]) {
	keys, askers := make([]string, len(wanted)), make([]context.Context, len(wanted))
	for i, w := range wanted {
		keys[i], askers[i] = w.key, w.of
	}
	ctx, cancel := context.WithTimeout(store.OnBehalfOf(context.Background(), askers...), gatheringTime)
	defer cancel()
	values, err := withoutPanic(func() ([]V, error) { return g.Ask(ctx, keys) })
	if err != nil && ctx.Err() != nil { // of no caller's making
		err = fmt.Errorf("%w: no answer within %s: %v", store.ErrUnavailable, gatheringTime, err) //nolint:errorlint // the deadline is ours, no caller's
	}
	for i, w := range wanted {
		if w.err = err; err == nil {
			w.value = values[i]
		}
		close(w.done)
	}
}
