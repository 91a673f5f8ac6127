package gqlhttp

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"mneme/internal/telemetry"
	"mneme/memory"
	"mneme/memory/access"
)

// socket speaks GraphQL over WebSocket, for subscriptions only. The rest is gqlgen's.
type socket struct {
	transport.Websocket
	over httpTransport
}

func newSocket(t httpTransport) socket {
	return socket{over: t, Websocket: transport.Websocket{
		InitTimeout: t.options.Live.Init, PingPongInterval: t.options.Live.Quiet, PayloadReadLimit: new(int64(longestSubscription)),
		Implementation: t,
	}}
}

// Do answers until the connection is closed.
func (s socket) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	ctx := withRequestID(r.Context(), w.Header())
	asked := strings.Join(r.Header.Values("Sec-Websocket-Protocol"), ",")
	offered := func(wanted string) bool { return strings.TrimSpace(wanted) == subprotocol }
	if !slices.ContainsFunc(strings.Split(asked, ","), offered) || r.Header.Get("Sec-Websocket-Key") == "" {
		fault := memory.Invalid("", "subscribe over WebSocket by the protocol %s, or by server-sent events", subprotocol)
		answer{w: w, media: mediaJSON, operation: telemetry.OperationOf(ctx)}.refuse(http.StatusBadRequest, s.over.errors.present(ctx, fault))
		return
	}
	ctx, end := connected(ctx, s.over.options.Log)
	defer end(nil)
	r = r.WithContext(ctx)
	r.Header = r.Header.Clone()
	r.Header.Set("Sec-Websocket-Protocol", subprotocol) // gqlgen would take an older one, too
	s.Websocket.Do(w, r, subscriptions{executor{exec, s.over, nil}})
}

// subscriptions executes nothing else: a query has its limits and its memory by POST.
type subscriptions struct{ executor }

// CreateOperationContext refuses in the words of the domain, and what a key asks for too often over one connection.
func (s subscriptions) CreateOperationContext(ctx context.Context, params *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	_, measured := s.options.Signals.Operation(ctx, telemetry.GraphQL)
	if err := access.Turn(ctx); err != nil {
		return &graphql.OperationContext{Headers: params.Headers}, s.begun(ctx, measured, nil, gqlerror.List{asRequestError(err)})
	}
	operation, faults := s.executor.CreateOperationContext(ctx, params)
	return operation, s.begun(ctx, measured, operation, faults)
}

// begun measures how a subscription begins, and shows why it does not: for its faults, or as it is none.
func (t httpTransport) begun(ctx context.Context, measured *telemetry.Operation, operation *graphql.OperationContext, faults gqlerror.List) gqlerror.List {
	if faults == nil && !isSubscription(operation) {
		faults = gqlerror.List{asRequestError(memory.Invalid("", "a %s is answered to a POST as %s", operation.Operation.Operation, mediaJSON))}
	}
	if faults == nil {
		t.name(measured, operation)
		measured.Leave() // it goes on as a stream
		return nil
	}
	shown := t.presented(ctx, faults)
	measured.Failed(codeOf(shown[0]))
	measured.End()
	return shown
}

// Accept begins a connection.
func (t httpTransport) Accept(w http.ResponseWriter, r *http.Request, options transport.WebsocketAcceptOptions) (transport.WebsocketConn, error) {
	// Which pages may ask is decided before this handler, for all of the API alike.
	sockets := transport.CoderWebsocketImplementation{AcceptOptions: websocket.AcceptOptions{InsecureSkipVerify: true}}
	conn, err := sockets.Accept(w, r, options)
	if err != nil {
		return nil, err
	}
	return &watchedSocket{WebsocketConn: conn, ctx: r.Context(), take: t.options.Live.Take}, nil
}

// watchedSocket is a connection that is closed where its client takes nothing or answers no ping, for which gqlgen
// would wait. It says in the log why it was closed, and to the client where that still reads.
type watchedSocket struct {
	transport.WebsocketConn
	ctx  context.Context //nolint:containedctx // it is the connection's
	take time.Duration

	mu    sync.Mutex
	pongs *time.Timer
}

// WriteJSON sends a message. A client that does not take it in time has half of it, so that no reason could follow.
func (c *watchedSocket) WriteJSON(v any) error {
	late := time.AfterFunc(c.take, func() {
		notTaken(c.ctx)
		_ = c.WebsocketConn.Close()
	})
	defer late.Stop()
	return c.WebsocketConn.WriteJSON(v)
}

// SetReadLimit bounds the messages that are read.
func (c *watchedSocket) SetReadLimit(limit int64) {
	if bounded, can := c.WebsocketConn.(transport.WebsocketReadLimiter); can {
		bounded.SetReadLimit(limit)
	}
}

// SetReadDeadline closes the connection where nothing cleared it until then, which the answer to a ping does. The code
// lets clients of the protocol connect again.
func (c *watchedSocket) SetReadDeadline(deadline time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pongs != nil {
		c.pongs.Stop()
		c.pongs = nil
	}
	if !deadline.IsZero() {
		c.pongs = time.AfterFunc(time.Until(deadline), func() {
			dropped(c.ctx, "no ping was answered in time")
			_ = c.WriteClose(int(websocket.StatusTryAgainLater), "no ping was answered in time; subscribe again after the last cursor")
		})
	}
	return nil
}

// WriteClose closes the connection with a reason.
func (c *watchedSocket) WriteClose(code int, reason string) error {
	_ = c.SetReadDeadline(time.Time{})
	return c.WebsocketConn.WriteClose(code, reason)
}

// Close closes the connection.
func (c *watchedSocket) Close() error {
	_ = c.SetReadDeadline(time.Time{})
	return c.WebsocketConn.Close()
}
