package events_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service/events"
	"mneme/store"
)

// counted is as many notices as its number says.
type counted struct{ atomic.Int64 }

func (c *counted) LatestNotice(context.Context) (int64, error) { return c.Load(), nil }

func (c *counted) Notices(_ context.Context, after int64, limit int) (page store.NoticePage, err error) {
	if after > c.Load() {
		return page, store.ErrNoticesGone
	}
	page.UpTo = min(c.Load(), after+int64(limit))
	for number := after + 1; number <= page.UpTo; number++ {
		page.Notices = append(page.Notices, store.Notice{Number: number, Kind: memory.KindEpisode, Key: fmt.Sprint(number)})
	}
	return page, nil
}

func (c *counted) TrimNotices(context.Context, time.Time) error { return nil }

func feedOf(t *testing.T, notices *counted) *events.Feed {
	t.Helper()
	feed := events.NewFeed(notices, slog.New(slog.DiscardHandler), nil)
	t.Cleanup(feed.Close)
	return feed
}

func numbers(_ context.Context, notices []store.Notice) ([]*int64, error) {
	all := make([]*int64, len(notices))
	for i := range notices {
		all[i] = &notices[i].Number
	}
	return all, nil
}

// as is a context of a caller with a key of a name, that ends with the test.
func as(t *testing.T, name string) context.Context {
	t.Helper()
	return access.With(t.Context(), access.Caller{Name: name})
}

// A client that takes nothing keeps nobody from anything. Why its subscription ended is known once it did, and may be
// asked for at any time.
func TestAClientThatTakesNothingHoldsNothing(t *testing.T) {
	t.Parallel()
	seen, notices := &observed{ended: map[events.End]int{}}, &counted{}
	feed := events.NewFeed(notices, slog.New(slog.DiscardHandler), seen)
	t.Cleanup(feed.Close)
	taken, err := events.Follow(as(t, "a"), feed, nil, numbers)
	require.NoError(t, err)
	ctx, drop := context.WithCancelCause(as(t, "a"))
	left, err := events.Follow(ctx, feed, nil, numbers)
	require.NoError(t, err)

	notices.Store(1000)
	for want := range int64(1000) {
		require.Equal(t, want+1, *<-taken.Events())
		require.NoError(t, left.Err())
	}
	drop(events.ErrNotTaken)
	require.NoError(t, left.Err())
	require.Eventually(t, func() bool {
		seen.mu.Lock()
		defer seen.mu.Unlock()
		return seen.ended[events.Slow] == 1
	}, time.Minute, time.Millisecond)
	require.NoError(t, left.Err())
}

func requireCode(t *testing.T, err error, code memory.Code) {
	t.Helper()
	var refused *memory.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, code, refused.Code)
}

// Subscriptions are limited for each key and for the tenant; the place of one that ended is free.
func TestSubscriptionsAreLimited(t *testing.T) {
	t.Parallel()
	feed := feedOf(t, &counted{})
	var ends []context.CancelFunc
	subscribe := func(name string) error {
		ctx, end := context.WithCancel(as(t, name))
		ends = append(ends, end)
		_, err := events.Follow(ctx, feed, nil, numbers)
		return err
	}
	for key := range events.MaxOfTenant / events.MaxOfKey {
		for range events.MaxOfKey {
			require.NoError(t, subscribe(fmt.Sprint(key)))
		}
		requireCode(t, subscribe(fmt.Sprint(key)), memory.CodeLimitExceeded)
	}
	requireCode(t, subscribe("another"), memory.CodeLimitExceeded)
	ends[0]()
	require.Eventually(t, func() bool { return subscribe("another") == nil }, time.Minute, time.Millisecond)
}

// A cursor that was not given out is refused, and one of what is not kept any more is not found.
func TestForgedCursorsAreRefused(t *testing.T) {
	t.Parallel()
	notices := &counted{}
	notices.Store(10)
	feed := feedOf(t, notices)
	for name, code := range map[string]memory.Code{
		"": memory.CodeInvalidInput, "bGl2ZTo": memory.CodeInvalidInput, "not base64": memory.CodeInvalidInput,
		"bGl2ZTotMQ": memory.CodeInvalidInput, "bGl2ZTowMQ": memory.CodeInvalidInput, string(make([]byte, 1<<20)): memory.CodeInvalidInput,
		events.CursorAt(11): memory.CodeNotFound,
	} {
		_, err := events.Follow(as(t, "a"), feed, &name, numbers)
		requireCode(t, err, code)
	}
	after := events.CursorAt(9)
	stream, err := events.Follow(as(t, "a"), feed, &after, numbers)
	require.NoError(t, err)
	require.Equal(t, int64(10), *<-stream.Events())
}

// A subscription ends where what it is to tell of cannot be read.
func TestErrorsEndASubscription(t *testing.T) {
	t.Parallel()
	notices := &counted{}
	broken := errors.New("broken")
	stream, err := events.Follow(as(t, "a"), feedOf(t, notices), nil, func(_ context.Context, notices []store.Notice) ([]*int64, error) {
		if len(notices) > 0 {
			return nil, broken
		}
		return nil, nil
	})
	require.NoError(t, err)
	notices.Store(1)
	_, open := <-stream.Events()
	require.False(t, open)
	require.ErrorIs(t, stream.Err(), broken)
}

// observed counts what becomes of subscriptions.
type observed struct {
	mu     sync.Mutex
	opened int
	told   int
	ended  map[events.End]int
}

func (o *observed) Opened() { o.count(func() { o.opened++ }) }
func (o *observed) Told()   { o.count(func() { o.told++ }) }
func (o *observed) Ended(why events.End) {
	o.count(func() { o.ended[why]++ })
}

func (o *observed) count(do func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	do()
}

// What becomes of subscriptions is told to who observes them: each that opened has one end.
func TestSubscriptionsAreObserved(t *testing.T) {
	t.Parallel()
	seen, notices := &observed{ended: map[events.End]int{}}, &counted{}
	feed := events.NewFeed(notices, slog.New(slog.DiscardHandler), seen)
	t.Cleanup(feed.Close)
	now := func() (opened, told int, ended map[events.End]int) {
		seen.mu.Lock()
		defer seen.mu.Unlock()
		return seen.opened, seen.told, maps.Clone(seen.ended)
	}
	ctx, leave := context.WithCancel(as(t, "a"))
	left, err := events.Follow(ctx, feed, nil, numbers)
	require.NoError(t, err)
	notices.Store(3)
	for range 3 {
		<-left.Events()
	}
	leave()
	for range events.MaxOfKey {
		_, err := events.Follow(as(t, "b"), feed, nil, numbers)
		require.NoError(t, err)
	}
	_, err = events.Follow(as(t, "b"), feed, nil, numbers)
	requireCode(t, err, memory.CodeLimitExceeded)
	require.Eventually(t, func() bool {
		opened, told, ended := now()
		return opened == 1+events.MaxOfKey && told == 3 && ended[events.Left] == 1 && ended[events.TooMany] == 1 && len(ended) == 2
	}, time.Minute, time.Millisecond)
}

// Who joins while a look of before is not over waits for its end: no two look at once.
func TestOneLooksAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var looking atomic.Int32
		over := make(chan struct{})
		lookout := feedOf(t, &counted{}).NewLookout(0, func(context.Context) {
			looking.Add(1)
			<-over
			looking.Add(-1)
		})
		defer lookout.Close()
		defer close(over)
		leave := lookout.Join()
		synctest.Wait()
		leave()
		lookout.Join()
		synctest.Wait()
		require.EqualValues(t, 1, looking.Load())
	})
}
