// Package events follows what is recorded: it reads a tenant's notices on from a cursor, as they come, and hands over
// what somebody makes of them.
package events

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service/faults"
	"mneme/store"
)

// atOnce is how many notices a subscription reads at once.
const atOnce = 100

// ErrNotTaken is the cause of a context that ended because its client did not take an event in time.
var ErrNotTaken = errors.New("an event was not taken in time")

// Feed is what a tenant's subscriptions share. It is safe for concurrent use.
type Feed struct {
	notices  store.NoticeReader
	watcher  *watcher
	observer Observer
}

// NewFeed makes a feed of a tenant's notices. observer may be nil.
func NewFeed(notices store.NoticeReader, log *slog.Logger, observer Observer) *Feed {
	if observer == nil {
		observer = unobserved{}
	}
	return &Feed{notices: notices, watcher: newWatcher(notices.LatestNotice, log), observer: observer}
}

// Close ends what the feed does in the background. Subscriptions end with their contexts.
func (f *Feed) Close() { f.watcher.work.Close() }

// Stream is the events of a subscription, in the order in which they were recorded. An event names its record: whoever
// takes it reads that, so that nothing is held for a client that is slow.
type Stream[T any] struct {
	events chan *T
	err    error
	ended  chan struct{} // closed once err is written
}

// Events are closed when the subscription has ended.
func (s *Stream[T]) Events() <-chan *T { return s.events }

// Err is why the subscription ended; nil where its context did, or while it lasts.
func (s *Stream[T]) Err() error {
	select {
	case <-s.ended:
		return s.err
	default:
		return nil
	}
}

// Follow begins a subscription, which lasts as long as its context: from a cursor, or from now where that is nil. Pick
// makes events of notices. It is NOT_FOUND where the events after the cursor are not kept any more, and LIMIT_EXCEEDED
// where there are too many subscriptions.
func Follow[T any](
	ctx context.Context, f *Feed, after *string, pick func(context.Context, []store.Notice) ([]*T, error),
) (*Stream[T], error) {
	from, err := f.from(ctx, after)
	if err != nil {
		return nil, err
	}
	leave, err := f.watcher.join(access.Of(ctx).Name)
	if err != nil {
		f.observer.Ended(TooMany)
		return nil, err
	}
	f.observer.Opened()
	s := &Stream[T]{events: make(chan *T), ended: make(chan struct{})}
	go func() {
		defer leave()
		defer func() { f.observer.Ended(endOf(ctx, s.err)) }()
		defer close(s.events)
		defer close(s.ended)
		defer func() {
			if panicked := recover(); panicked != nil {
				s.err = &memory.Error{Code: memory.CodeInternal, Message: "internal error", Cause: fmt.Errorf("panic: %v", panicked)}
			}
		}()
		s.err = faults.Of("the event", gone(s.run(ctx, f, from, pick)))
	}()
	return s, nil
}

// run hands over events until the context ends, or until it cannot.
func (s *Stream[T]) run(ctx context.Context, f *Feed, after int64, pick func(context.Context, []store.Notice) ([]*T, error)) error {
	for ctx.Err() == nil {
		latest, news := f.watcher.state() // before it is read, so that none comes between
		page, err := f.notices.Notices(ctx, after, atOnce)
		if err != nil {
			return err
		}
		events, err := pick(ctx, page.Notices)
		if err != nil {
			return err
		}
		for _, event := range events {
			select {
			case s.events <- event: // writers never wait for it
				f.observer.Told()
			case <-ctx.Done():
				return nil
			}
		}
		switch {
		case page.UpTo > after:
			after = page.UpTo
		case latest > after: // the store is about to show it
			settle(ctx)
		default:
			select {
			case <-ctx.Done():
			case <-news:
			}
		}
	}
	return nil
}

// gone is the error of a cursor from before what is kept.
func gone(err error) error {
	if errors.Is(err, store.ErrNoticesGone) {
		return &memory.Error{Code: memory.CodeNotFound, Field: "after", Cause: err, Message: fmt.Sprintf(
			"the events after this cursor are not kept any more, which they are for %.0f hours; list what there is, and subscribe without one", store.NoticesKept.Hours())}
	}
	return err
}

// Cursors hold the number of a notice, and are the same for all subscriptions of a tenant.
const (
	cursorMark  = "live:"
	longestLive = 64
)

// CursorAt is the cursor of a notice, by its number.
func CursorAt(number int64) string {
	return base64.RawURLEncoding.EncodeToString([]byte(cursorMark + strconv.FormatInt(number, 10)))
}

// from is the number after which a subscription begins.
func (f *Feed) from(ctx context.Context, after *string) (int64, error) {
	if after == nil {
		latest, err := f.notices.LatestNotice(ctx)
		return latest, faults.Of("the event", err)
	}
	if len(*after) > longestLive {
		return 0, memory.Invalid("after", "is not a cursor")
	}
	text, err := base64.RawURLEncoding.DecodeString(*after)
	digits, marked := strings.CutPrefix(string(text), cursorMark)
	number, invalid := strconv.ParseInt(digits, 10, 64)
	if err != nil || !marked || invalid != nil || number < 0 || CursorAt(number) != *after {
		return 0, memory.Invalid("after", "is not a cursor")
	}
	_, err = f.notices.Notices(ctx, number, 1)
	return number, faults.Of("the event", gone(err))
}
