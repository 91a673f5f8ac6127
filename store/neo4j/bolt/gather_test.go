package bolt

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// gate answers round trips one at a time, when told to.
type gate struct {
	asked  chan []string
	answer chan error
}

func newGate() *gate { return &gate{asked: make(chan []string), answer: make(chan error)} }

func (g *gate) ask(_ context.Context, keys []string) ([]*string, error) {
	g.asked <- keys
	if err := <-g.answer; err != nil {
		return nil, err
	}
	values := make([]*string, len(keys))
	for i, key := range keys {
		values[i] = new("value of " + key)
	}
	return values, nil
}

type got struct {
	value *string
	err   error
}

// fetch asks for a key in the background while a round trip is under way; it returns once the key is wanted.
func fetch(ctx context.Context, t *testing.T, g *Gatherer[*string], key string) <-chan got {
	t.Helper()
	wanted := func() int {
		g.crew.mu.Lock()
		defer g.crew.mu.Unlock()
		return len(g.crew.waiting)
	}
	result, before := make(chan got, 1), wanted()
	go func() {
		value, err := g.Get(ctx, key)
		result <- got{value, err}
	}()
	require.Eventually(t, func() bool { return wanted() > before || len(result) > 0 }, time.Minute, time.Millisecond, "%s goes at once", key)
	return result
}

func TestGathererAsksTogetherForWhatIsWantedMeanwhile(t *testing.T) {
	server := newGate()
	g := &Gatherer[*string]{Ask: server.ask}
	first := make(chan got, 1)
	go func() {
		value, err := g.Get(t.Context(), "a")
		first <- got{value, err}
	}()
	require.Equal(t, []string{"a"}, <-server.asked, "nobody waits for others")

	var rest []<-chan got
	for _, key := range []string{"b", "c", "b"} {
		rest = append(rest, fetch(t.Context(), t, g, key))
	}
	server.answer <- nil
	require.Equal(t, "value of a", *(<-first).value)

	require.Equal(t, []string{"b", "c"}, <-server.asked)
	server.answer <- nil
	require.Equal(t, []string{"b"}, <-server.asked, "what is wanted twice is read twice, and shared by nobody")
	server.answer <- nil
	b, c, again := <-rest[0], <-rest[1], <-rest[2]
	require.Equal(t, []string{"value of b", "value of c", "value of b"}, []string{*b.value, *c.value, *again.value})
	require.NotSame(t, b.value, again.value)
}

func TestGathererFailsThoseWhoAsked(t *testing.T) {
	server := newGate()
	g := &Gatherer[*string]{Ask: server.ask}
	one := make(chan got, 1)
	go func() {
		value, err := g.Get(t.Context(), "a")
		one <- got{value, err}
	}()
	<-server.asked
	later := fetch(t.Context(), t, g, "b")
	lost := errors.New("lost")
	server.answer <- lost
	require.ErrorIs(t, (<-one).err, lost)
	<-server.asked
	server.answer <- nil
	require.NoError(t, (<-later).err, "the next round trip is another one")
}

func TestAPanicOfARoundTripIsAnError(t *testing.T) {
	g := &Gatherer[*string]{Ask: func(context.Context, []string) ([]*string, error) { panic("amid a read") }}
	_, err := g.Get(t.Context(), "a")
	require.ErrorContains(t, err, "amid a read")
	_, err = g.Get(t.Context(), "a")
	require.ErrorContains(t, err, "amid a read", "and it goes on")
}

func TestWhoLeavesDoesNotEndTheRoundTripOfOthers(t *testing.T) {
	server := newGate()
	g := &Gatherer[*string]{Ask: server.ask}
	go func() { _, _ = g.Get(t.Context(), "a") }()
	<-server.asked
	ctx, leave := context.WithCancel(t.Context())
	left, stays := fetch(ctx, t, g, "b"), fetch(t.Context(), t, g, "c")
	leave()
	require.ErrorIs(t, (<-left).err, context.Canceled)
	server.answer <- nil
	<-server.asked
	server.answer <- nil
	require.NoError(t, (<-stays).err)
}

func TestGathererUnderManyReaders(t *testing.T) {
	var mu sync.Mutex
	var most, underWay int
	g := &Gatherer[*string]{Ask: func(_ context.Context, keys []string) ([]*string, error) {
		mu.Lock()
		underWay++
		most = max(most, underWay)
		mu.Unlock()
		defer func() { mu.Lock(); underWay--; mu.Unlock() }()
		if len(keys) > maxGathered || len(slices.Compact(slices.Sorted(slices.Values(keys)))) != len(keys) {
			return nil, errors.New("too many keys, or one twice")
		}
		values := make([]*string, len(keys))
		for i := range keys {
			values[i] = &keys[i]
		}
		return values, nil
	}}
	var readers sync.WaitGroup
	for reader := range 300 {
		readers.Go(func() {
			for i := range 50 {
				key := string(rune('a' + (reader+i)%26))
				value, err := g.Get(t.Context(), key)
				if err != nil || *value != key {
					t.Errorf("%s answered %v, %v", key, value, err)
				}
			}
		})
	}
	readers.Wait()
	require.LessOrEqual(t, most, maxUnderWay)
	require.Empty(t, g.crew.waiting)
}
