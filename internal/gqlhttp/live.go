package gqlhttp

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"mneme/graph/answering"
	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
)

const (
	// longestSubscription is the longest message of a WebSocket, and the longest body that asks for events, in bytes.
	longestSubscription = 64 << 10
	// subprotocol is that of WebSockets (https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md).
	subprotocol = "graphql-transport-ws"
)

// LiveTimes are those of subscriptions. A zero value means the time named with each.
type LiveTimes struct {
	// Quiet is how often a connection is pinged; 15 s. Over WebSocket it is closed where no answer comes within twice that.
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

// isSubscription says whether an operation asks for events.
func isSubscription(operation *graphql.OperationContext) bool {
	return operation.Operation.Operation == ast.Subscription
}

// live answers subscriptions: each event as a response of its own, with a budget of its own, as long as whoever asked may
// still ask. Why one ended is its last response.
type live struct {
	svc     *service.Service
	options Options
	errors  presenter
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
	responses, ended := next(ctx), false
	return func(asked context.Context) *graphql.Response {
		if ended {
			return nil
		}
		response, err := l.event(ctx, asked, responses)
		if err == nil && response != nil {
			return response
		}
		ended = true
		if err == nil {
			err = ending.Err()
		}
		if why, is := errors.AsType[*memory.Error](context.Cause(ctx)); is {
			err = why
		}
		cancel(nil)
		if err == nil || errors.Is(err, context.Canceled) {
			return nil
		}
		if errors.Is(err, service.ErrNotTaken) {
			dropped(ctx, "an event was not taken in time")
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
		if refused, is := errors.AsType[*memory.Error](access.Recheck(ctx)); is && refused.Code != memory.CodeUnavailable {
			end(refused)
			return
		}
	}
}

// event waits for the next event, as long as the subscription, whose context is given too.
func (l live) event(subscribed, asked context.Context, responses graphql.ResponseHandler) (*graphql.Response, error) {
	ctx, budget, done := service.WithBudget(asked, l.options.Budget)
	defer done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(subscribed, cancel)()
	response := responses(ctx)
	if err := budget.Err(); err != nil {
		return nil, err
	}
	if response != nil {
		if err := access.Recheck(subscribed); err != nil {
			return nil, err
		}
	}
	return response, nil
}

func (l live) refused(ctx context.Context, err error) *graphql.Response {
	return &graphql.Response{Errors: gqlerror.List{l.errors.present(ctx, err)}}
}

// asksForEvents says whether a request wants its answer as server-sent events.
func asksForEvents(r *http.Request) bool {
	return strings.Contains(strings.Join(r.Header.Values("Accept"), ","), mediaEvents)
}

// asksSubscription says whether the operation of a document asks for events, for a client that takes plain answers, too.
func asksSubscription(document *ast.QueryDocument, name string) bool {
	if document == nil {
		return false
	}
	operation := document.Operations.ForName(name)
	return operation != nil && operation.Operation == ast.Subscription
}

type droppedKey struct{}

// withDropped lets the log say once of a connection that its client was dropped. The log adds whose key it came with.
func withDropped(ctx context.Context, log *slog.Logger) context.Context {
	var once sync.Once
	return context.WithValue(ctx, droppedKey{}, func(ctx context.Context, why string) {
		once.Do(func() { log.WarnContext(ctx, "a subscriber was dropped", "why", why) })
	})
}

// dropped says why the client of a context's connection was dropped.
func dropped(ctx context.Context, why string) {
	if say, is := ctx.Value(droppedKey{}).(func(context.Context, string)); is {
		say(ctx, why)
	}
}
