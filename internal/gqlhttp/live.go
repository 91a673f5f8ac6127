package gqlhttp

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"golang.org/x/sync/semaphore"

	"mneme/graph/answering"
	"mneme/internal/budget"
	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
	"mneme/service/events"
)

const (
	// longestSubscription is the longest message of a WebSocket, and the longest body that asks for events, in bytes.
	longestSubscription = 64 << 10
	// subprotocol is that of WebSockets (https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md).
	subprotocol = "graphql-transport-ws"
)

// LiveTimes are those of subscriptions. A zero value means the time named with each.
type LiveTimes struct {
	// Quiet is how often a connection is pinged; 15 s. A WebSocket is closed where no answer comes within twice that.
	Quiet time.Duration
	// Recheck is how often it is asked whether who subscribed still may, beside at each event; 15 s.
	Recheck time.Duration
	// Take is how long what is sent may wait for its client to take it; 30 s.
	Take time.Duration
	// Init is how long a WebSocket may take to begin; 10 s.
	Init time.Duration
}

func (l LiveTimes) withDefaults() LiveTimes {
	return LiveTimes{Quiet: cmp.Or(l.Quiet, 15*time.Second), Recheck: cmp.Or(l.Recheck, 15*time.Second), Take: cmp.Or(l.Take, 30*time.Second), Init: cmp.Or(l.Init, 10*time.Second)}
}

// errClosing ends the subscriptions of a server that is closed.
var errClosing = &memory.Error{Code: memory.CodeUnavailable, Message: "the server closes; subscribe again after the last cursor"}

// isSubscription says whether an operation asks for events. Without a valid document there is none.
func isSubscription(operation *graphql.OperationContext) bool {
	return operation.Operation != nil && operation.Operation.Operation == ast.Subscription
}

// lightEvent is what an event may take, in bytes by estimate, before it counts for its key and waits for memory: less
// than its connection takes.
const lightEvent = 16 << 10

// maxMade is how many other events are made at once: a thousand subscriptions wait for the same record.
const maxMade = 4

// live answers subscriptions: each event as a response with a budget of its own, as long as whoever asked may still
// ask. Why one ended is its last response. What an event is made of is read once its client took the one before.
type live struct {
	svc     *service.Service
	options Options
	errors  presenter
	making  *semaphore.Weighted
}

// operation is gqlgen's hook around an operation.
func (l live) operation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	operation := graphql.GetOperationContext(ctx)
	if !isSubscription(operation) {
		return next(ctx)
	}
	// the rule for valid queries looks at names: it lets one pass that is asked for twice, or skipped
	if fields := graphql.CollectFields(operation, operation.Operation.SelectionSet, []string{"Subscription"}); len(fields) != 1 {
		return graphql.OneShot(l.refused(ctx, memory.Invalid("", "a subscription asks for exactly one field, and this one for %d", len(fields))))
	}
	tenant, err := l.svc.Tenant(ctx)
	if err != nil {
		return graphql.OneShot(l.refused(ctx, err))
	}
	ctx, cancel := context.WithCancelCause(ctx)
	closing := context.AfterFunc(l.options.Closing, func() { cancel(errClosing) })
	context.AfterFunc(ctx, func() { closing() }) // also of a client that is gone, for which no further event is asked
	go l.recheck(ctx, cancel)
	ctx, ending := answering.WithEnding(answering.With(ctx, tenant, l.options.Gathering))
	claim, fields := budget.Of(ctx).Beside(), int64(costOf(operation).fields)
	context.AfterFunc(ctx, claim.Release)
	responses, ended := next(ctx), false
	return func(asked context.Context) *graphql.Response {
		if ended {
			return nil
		}
		response, err := l.event(ctx, asked, claim, bytesPerField*fields, responses)
		for err == nil && response != nil && ending.LeftOut.Swap(false) {
			response, err = l.event(ctx, asked, claim, bytesPerField*fields, responses)
		}
		if err == nil && response != nil {
			return response
		}
		ended = true
		if err == nil && ending.Why != nil {
			err = ending.Why()
		}
		if why, ok := errors.AsType[*memory.Error](context.Cause(ctx)); ok {
			err = why
		}
		cancel(nil)
		if err == nil || errors.Is(err, context.Canceled) {
			return nil
		}
		return l.refused(ctx, err)
	}
}

// recheck ends a subscription whose key has ended, also where nothing is told meanwhile. That it cannot be asked is no
// reason: before the next event it is asked again.
func (l live) recheck(ctx context.Context, end context.CancelCauseFunc) {
	ticks := time.NewTicker(l.options.Live.Recheck)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		if refused, ok := errors.AsType[*memory.Error](access.Recheck(ctx)); ok && refused.Code != memory.CodeUnavailable {
			end(refused)
			return
		}
	}
}

// event waits for the next event, as long as the subscription, whose context is given too. An event whose selection
// takes so many bytes, beside what is read, has these of a claim until the next is asked for.
func (l live) event(
	subscribed, asked context.Context, claim *budget.Claim, selected int64, responses graphql.ResponseHandler,
) (*graphql.Response, error) {
	claim.Keep(0) // of the event before, which was taken
	ctx, cancel := context.WithCancel(asked)
	defer cancel()
	defer context.AfterFunc(subscribed, cancel)()
	ctx, spent, done := service.WithBudget(ctx, l.options.Budget)
	defer done()
	made := func() {}
	spent.Grow(lightEvent-selected, func(bytes int64) int64 {
		if claim.Has() > 0 {
			return claim.Grow(selected+bytes) - selected
		}
		access.AwaitTurn(ctx)
		if claim.Tell(ctx, selected+bytes) != nil || l.making.Acquire(ctx, 1) != nil {
			return 0
		}
		made = func() { l.making.Release(1) }
		return claim.Has() - selected
	})
	response := responses(ctx)
	made()
	if l.options.Spent != nil && response != nil {
		l.options.Spent(spent.Spent())
	}
	if err := spent.Err(); err != nil {
		return nil, err
	}
	if response != nil {
		claim.Keep(2 * int64(len(response.Data))) // with what it is sent in
		if err := access.Recheck(subscribed); err != nil {
			return nil, err
		}
	}
	return response, nil
}

func (l live) refused(ctx context.Context, err error) *graphql.Response {
	return &graphql.Response{Errors: gqlerror.List{l.errors.present(ctx, err)}}
}

type droppedKey struct{}

// connection is one that may be dropped.
type connection struct {
	log  *slog.Logger
	once sync.Once
	end  context.CancelCauseFunc
}

// connected is a context of a connection, which end ends.
func connected(ctx context.Context, log *slog.Logger) (_ context.Context, end context.CancelCauseFunc) {
	ctx, end = context.WithCancelCause(ctx)
	return context.WithValue(ctx, droppedKey{}, &connection{log: log, end: end}), end
}

// dropped logs once why the client of a context's connection was dropped. The log adds whose key it came with.
func dropped(ctx context.Context, why string) {
	if c, ok := ctx.Value(droppedKey{}).(*connection); ok {
		c.once.Do(func() { c.log.WarnContext(ctx, "a subscriber was dropped", "why", why) })
	}
}

// notTaken drops a client that does not take what is sent.
func notTaken(ctx context.Context) {
	dropped(ctx, "what was sent was not taken in time")
	if c, ok := ctx.Value(droppedKey{}).(*connection); ok {
		c.end(events.ErrNotTaken)
	}
}
