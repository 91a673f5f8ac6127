// Package events follows what is recorded: it reads a tenant's notices on from a cursor, as they come, and hands over what
// somebody makes of them.
package events

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/store"
)

const (
	// atOnce is how many notices a subscription reads at once.
	atOnce = 100
	// takeTime is how long an event waits to be taken before its subscription ends.
	takeTime = 30 * time.Second
	// settleTime is how long a store may take to show what it told of.
	settleTime = 50 * time.Millisecond
)

// ErrNotTaken is the cause where a subscription ended because an event was not taken in time.
var ErrNotTaken = errors.New("an event was not taken in time")

// Feed is what a tenant's subscriptions share. It is safe for concurrent use.
type Feed struct {
	// TakeTime is how long an event waits to be taken before its subscription ends; 30 s.
	TakeTime time.Duration
	notices  store.NoticeReader
	fault    func(error) error
	watcher  *watcher
	observer Observer
}

// NewFeed makes a feed of a tenant's notices. Fault turns errors of the store into those of the domain. The observer may be nil.
func NewFeed(notices store.NoticeReader, fault func(error) error, log *slog.Logger, observer Observer) *Feed {
	if observer == nil {
		observer = unobserved{}
	}
	return &Feed{TakeTime: takeTime, notices: notices, fault: fault, watcher: newWatcher(notices.LatestNotice, log), observer: observer}
}

// Close ends what the feed does in the background. Subscriptions end with their contexts.
func (f *Feed) Close() { f.watcher.work.end() }

// Stream is the events of a subscription, in the order in which they were recorded.
type Stream[T any] struct {
	events chan *T
	err    error
}

// Events are closed when the subscription has ended.
func (s *Stream[T]) Events() <-chan *T { return s.events }

// Err is why the subscription ended, once Events are closed; nil where its context did.
func (s *Stream[T]) Err() error { return s.err }

// Follow begins a subscription, which lasts as long as its context: from a cursor, or from now where that is nil. Pick makes
// events of notices. It is NOT_FOUND where the events after the cursor are not kept any more, and LIMIT_EXCEEDED where
// there are too many subscriptions.
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
	s := &Stream[T]{events: make(chan *T)}
	go func() {
		defer leave()
		defer func() { f.observer.Ended(endOf(s.err)) }()
		defer close(s.events)
		defer func() {
			if panicked := recover(); panicked != nil {
				s.err = &memory.Error{Code: memory.CodeInternal, Message: "internal error", Cause: fmt.Errorf("panic: %v", panicked)}
			}
		}()
		s.err = f.fault(gone(s.run(ctx, f, from, pick)))
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
			if err := s.hand(ctx, f, event); err != nil {
				return err
			}
		}
		switch {
		case page.UpTo > after:
			after = page.UpTo
		case latest > after: // the store is about to show it
			Settle(ctx)
		default:
			select {
			case <-ctx.Done():
			case <-news:
			}
		}
	}
	return nil
}

// hand waits for an event to be taken. Writers never wait for it.
func (s *Stream[T]) hand(ctx context.Context, f *Feed, event *T) error {
	late := time.NewTimer(f.TakeTime)
	defer late.Stop()
	select {
	case s.events <- event:
		f.observer.Told()
		return nil
	case <-ctx.Done():
		return nil
	case <-late.C:
		refused := memory.LimitExceeded("", "an event was not taken for %s; subscribe again after the last cursor", f.TakeTime)
		refused.Cause = ErrNotTaken
		return refused
	}
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
		return latest, f.fault(err)
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
	return number, f.fault(gone(err))
}

// Settle waits for as long as a store may take to show what it told of, and says whether the context lasted.
func Settle(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(settleTime):
		return true
	}
}
