package gqlhttp

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	websocket "github.com/99designs/gqlgen/graphql/handler/transport"
	coder "github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"mneme/internal/signals"
	"mneme/memory"
	"mneme/memory/access"
)

// socket speaks GraphQL over WebSocket, for subscriptions only. The rest is gqlgen's.
type socket struct {
	transport
	websocket.Websocket
}

func newSocket(t transport) socket {
	most := int64(longestSubscription)
	return socket{t, websocket.Websocket{
		InitTimeout: t.options.Live.Init, PingPongInterval: t.options.Live.Quiet, PayloadReadLimit: &most,
		// Which pages may ask is decided before this handler, for all of the API alike.
		Implementation: droppingSlow{t.options.Live, websocket.CoderWebsocketImplementation{AcceptOptions: coder.AcceptOptions{InsecureSkipVerify: true}}},
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
	ctx = withDropped(ctx, s.options.Log)
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
	_, measured := s.options.Signals.Operation(ctx, signals.GraphQL)
	operation, faults := s.create(ctx, params)
	if faults == nil {
		s.name(measured, operation)
		measured.Leave() // it goes on as a stream
	} else {
		measured.Failed(codeOf(faults[0]))
		measured.End()
	}
	return operation, faults
}

func (s subscriptions) create(ctx context.Context, params *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
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

// droppingSlow closes connections whose clients do not take what is sent, or answer no ping, which gqlgen would wait for
// or close without a word.
type droppingSlow struct {
	times LiveTimes
	websocket.WebsocketImplementation
}

// Accept begins a connection.
func (d droppingSlow) Accept(w http.ResponseWriter, r *http.Request, options websocket.WebsocketAcceptOptions) (websocket.WebsocketConn, error) {
	conn, err := d.WebsocketImplementation.Accept(w, r, options)
	if err != nil {
		return nil, err
	}
	return &watchedSocket{WebsocketConn: conn, ctx: r.Context(), times: d.times}, nil
}

// watchedSocket is a connection that says in the log why it was closed, and to the client where that still reads.
type watchedSocket struct {
	websocket.WebsocketConn
	ctx   context.Context //nolint:containedctx // it is the connection's
	times LiveTimes

	mu    sync.Mutex
	pongs *time.Timer
}

// WriteJSON sends a message. A client that does not take it in time has half of it, so that no reason could follow.
func (c *watchedSocket) WriteJSON(v any) error {
	late := time.AfterFunc(c.times.Take, func() {
		droppedOf(c.ctx).say(c.ctx, "what was sent was not taken in time")
		_ = c.WebsocketConn.Close()
	})
	defer late.Stop()
	return c.WebsocketConn.WriteJSON(v)
}

// SetReadLimit bounds the messages that are read.
func (c *watchedSocket) SetReadLimit(limit int64) {
	if bounded, can := c.WebsocketConn.(websocket.WebsocketReadLimiter); can {
		bounded.SetReadLimit(limit)
	}
}

// SetReadDeadline closes the connection where nothing cleared it until then, which the answer to a ping does. The code lets
// clients of the protocol connect again.
func (c *watchedSocket) SetReadDeadline(deadline time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pongs != nil {
		c.pongs.Stop()
		c.pongs = nil
	}
	if !deadline.IsZero() {
		c.pongs = time.AfterFunc(time.Until(deadline), func() {
			droppedOf(c.ctx).say(c.ctx, "no ping was answered in time")
			_ = c.WriteClose(int(coder.StatusTryAgainLater), "no ping was answered in time; subscribe again after the last cursor")
		})
	}
	return nil
}

// WriteClose closes the connection with a reason.
func (c *watchedSocket) WriteClose(code int, reason string) error {
	c.mu.Lock()
	if c.pongs != nil {
		c.pongs.Stop()
	}
	c.mu.Unlock()
	return c.WebsocketConn.WriteClose(code, reason)
}

// Close closes the connection.
func (c *watchedSocket) Close() error {
	_ = c.SetReadDeadline(time.Time{})
	return c.WebsocketConn.Close()
}
