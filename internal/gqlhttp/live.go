package gqlhttp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	websocket "github.com/99designs/gqlgen/graphql/handler/transport"
	coder "github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"mneme/graph/answering"
	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
)

const (
	// quietTime is after how long without an event a connection is pinged. Over WebSocket it is closed where no answer comes
	// within twice that.
	quietTime = 15 * time.Second
	// longestSubscription is the longest message of a WebSocket, and the longest body that asks for events, in bytes.
	longestSubscription = 64 << 10
	// initTime is how long a WebSocket may take to begin.
	initTime = 10 * time.Second
	// subprotocol is that of WebSockets (https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md).
	subprotocol = "graphql-transport-ws"
)

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
	if !isSubscription(graphql.GetOperationContext(ctx)) {
		return next(ctx)
	}
	tenant, err := l.svc.Tenant(ctx)
	if err != nil {
		return graphql.OneShot(l.refused(ctx, err))
	}
	ctx, cancel := context.WithCancelCause(ctx)
	closing := context.AfterFunc(l.options.Closing, func() { cancel(errClosing) })
	ctx, ending := answering.WithEnding(answering.With(ctx, tenant))
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
		closing()
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
		return l.refused(ctx, err)
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

// socket speaks GraphQL over WebSocket, for subscriptions only. The rest is gqlgen's.
type socket struct {
	transport
	websocket.Websocket
}

func newSocket(t transport) socket {
	most := int64(longestSubscription)
	return socket{t, websocket.Websocket{
		InitTimeout: initTime, PingPongInterval: quietTime, PayloadReadLimit: &most,
		// Which pages may ask is decided before this handler, for all of the API alike.
		Implementation: websocket.CoderWebsocketImplementation{AcceptOptions: coder.AcceptOptions{InsecureSkipVerify: true}},
	}}
}

// Supports takes what asks for another protocol.
func (socket) Supports(r *http.Request) bool { return r.Header.Get("Upgrade") != "" }

// Do answers until the connection is closed.
func (s socket) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	ctx := identified(r.Context(), w.Header())
	asked := strings.Join(r.Header.Values("Sec-Websocket-Protocol"), ",")
	offered := func(wanted string) bool { return strings.TrimSpace(wanted) == subprotocol }
	if !slices.ContainsFunc(strings.Split(asked, ","), offered) || r.Header.Get("Sec-Websocket-Key") == "" {
		fault := memory.Invalid("", "subscribe over WebSocket by the protocol %s, or by server-sent events", subprotocol)
		answer{w: w}.refuse(http.StatusBadRequest, s.errors.present(ctx, fault))
		return
	}
	r = r.WithContext(ctx)
	r.Header = r.Header.Clone()
	r.Header.Set("Sec-Websocket-Protocol", subprotocol) // gqlgen would take an older one, too
	s.Websocket.Do(w, r, subscriptions{exec, s.transport})
}

// subscriptions executes nothing else: what is asked once has its limits and its room by POST.
type subscriptions struct {
	graphql.GraphExecutor
	transport
}

// CreateOperationContext refuses in the words of the domain, and what a key asks for too often over one connection.
func (s subscriptions) CreateOperationContext(ctx context.Context, params *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	if err := access.Turn(ctx); err != nil {
		return &graphql.OperationContext{Headers: params.Headers}, s.presented(ctx, gqlerror.List{asRequestError(err)})
	}
	if err := s.named(ctx, params); err != nil {
		return &graphql.OperationContext{Headers: params.Headers}, s.presented(ctx, gqlerror.List{asRequestError(err)})
	}
	operation, faults := s.GraphExecutor.CreateOperationContext(ctx, params)
	if faults == nil && !isSubscription(operation) {
		faults = gqlerror.List{asRequestError(memory.Invalid("", "a %s must be sent by POST", operation.Operation.Operation))}
	}
	if faults != nil {
		faults = s.presented(ctx, faults)
	}
	return operation, faults
}

// named puts in the text of a document that a message names.
func (s subscriptions) named(ctx context.Context, params *graphql.RawParams) *memory.Error {
	extensions, err := json.Marshal(params.Extensions)
	if err != nil {
		return memory.Invalid("extensions", "cannot be read")
	}
	hash, fault := persistedHash(extensions)
	if fault == nil {
		params.Query, fault = s.documents.text(ctx, params.Query, named{hash: hash})
	}
	return fault
}

// asksForEvents says whether a request wants its answer as server-sent events.
func asksForEvents(r *http.Request) bool {
	return strings.Contains(strings.Join(r.Header.Values("Accept"), ","), mediaEvents)
}

// asksSubscription says whether a query may hold a subscription, for a client that takes plain answers, too.
func asksSubscription(query string) bool { return strings.Contains(query, "subscription") }

const mediaEvents = "text/event-stream"

// eventStream writes server-sent events, by the distinct connections mode of GraphQL over SSE
// (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md).
type eventStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	mu      sync.Mutex
}

func newEventStream(w http.ResponseWriter) *eventStream {
	s := &eventStream{w: w, control: http.NewResponseController(w)}
	_ = s.control.SetReadDeadline(time.Time{}) // there is nothing more to come but the end
	header := w.Header()
	header.Set("Content-Type", mediaEvents+"; charset=utf-8")
	header.Set("Cache-Control", "no-cache")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Accel-Buffering", "no") // or a proxy may keep events back
	w.WriteHeader(http.StatusOK)
	return s
}

// send writes a part of the stream, which the client must take in time.
func (s *eventStream) send(parts ...[]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.control.SetWriteDeadline(time.Now().Add(2 * quietTime))
	for _, part := range parts {
		if _, err := s.w.Write(part); err != nil {
			return err
		}
	}
	return s.control.Flush()
}

// ping keeps a quiet connection alive, and ends it where nobody is there any more.
func (s *eventStream) ping(ctx context.Context, end context.CancelFunc) {
	ticks := time.NewTicker(quietTime)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			if s.send([]byte(":\n\n")) != nil {
				end()
			}
		}
	}
}

// stream answers an operation by events.
func (t transport) stream(ctx context.Context, w http.ResponseWriter, exec graphql.GraphExecutor, params *graphql.RawParams) {
	operation, faults := exec.CreateOperationContext(ctx, params)
	if faults == nil && !isSubscription(operation) {
		faults = gqlerror.List{asRequestError(memory.Invalid("", "a %s is answered as %s; ask for that alone", operation.Operation.Operation, mediaJSON))}
	}
	ctx, end := context.WithCancel(ctx)
	var pinging sync.WaitGroup
	defer pinging.Wait()
	defer end()
	events := newEventStream(w)
	responses := graphql.OneShot(&graphql.Response{Errors: t.presented(ctx, faults)})
	if faults == nil {
		responses, ctx = exec.DispatchOperation(ctx, operation)
		if events.send([]byte(":\n\n")) != nil { // so that the client knows from when on it hears
			return
		}
		lasting := ctx
		pinging.Go(func() { events.ping(lasting, end) })
	}
	for response := responses(ctx); response != nil; response = responses(ctx) {
		text, err := json.Marshal(response)
		if err != nil || events.send([]byte("event: next\ndata: "), text, []byte("\n\n")) != nil {
			return
		}
	}
	_ = events.send([]byte("event: complete\ndata:\n\n"))
}
