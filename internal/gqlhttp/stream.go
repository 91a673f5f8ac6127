package gqlhttp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/transport"
)

const mediaEvents = "text/event-stream"

// What gqlgen's transport writes before it subscribes, and as the end. EventSource dispatches no event without data.
var (
	listening   = []byte(":\n\n")
	completed   = []byte("event: complete\n\n")
	completeEnd = []byte("event: complete\ndata:\n\n")
)

// eventStream writes server-sent events, each of which the client must take in time.
type eventStream struct {
	http.ResponseWriter
	control *http.ResponseController
	ctx     context.Context //nolint:containedctx // it is the stream's
	end     context.CancelFunc
	take    time.Duration
	mu      sync.Mutex
	begun   bool // the client may be told that its events are followed
	closed  bool
}

// stream answers an operation by events, by the distinct connections mode of GraphQL over SSE
// (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md). The transport is gqlgen's; it gets a body of what
// was found to be valid.
func (t httpTransport) stream(ctx context.Context, w http.ResponseWriter, r *http.Request, exec executor, params *graphql.RawParams, variables []byte) {
	if variables == nil {
		variables = []byte("null")
	}
	body, err := json.Marshal(map[string]any{
		"query": params.Query, "operationName": params.OperationName, "variables": json.RawMessage(variables), "extensions": params.Extensions,
	})
	if err != nil {
		panic("gqlhttp: parameters that cannot be encoded: " + err.Error()) // they were decoded from JSON
	}
	ctx, end := context.WithCancel(withDropped(ctx, t.options.Log))
	events := &eventStream{ResponseWriter: w, control: http.NewResponseController(w), ctx: ctx, end: end, take: t.options.Live.Take}
	defer events.close()
	_ = events.control.SetReadDeadline(time.Time{}) // nothing more comes but the end
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("X-Accel-Buffering", "no") // or a proxy may keep events back
	r = r.WithContext(ctx)
	r.Body = io.NopCloser(bytes.NewReader(body))
	transport.SSE{KeepAlivePingInterval: t.options.Live.Quiet}.Do(events, r, listeningExecutor{subscriptions{exec, t, false}, events})
}

// listeningExecutor lets the client know that it listens once its operation has begun.
type listeningExecutor struct {
	subscriptions
	events *eventStream
}

// DispatchOperation begins the operation.
func (e listeningExecutor) DispatchOperation(ctx context.Context, operation *graphql.OperationContext) (graphql.ResponseHandler, context.Context) {
	responses, ctx := e.subscriptions.DispatchOperation(ctx, operation)
	e.events.mu.Lock()
	e.events.begun = true
	e.events.mu.Unlock()
	_, _ = e.events.Write(listening) // an error ends the stream
	e.events.Flush()
	return responses, ctx
}

// Write writes a part of the stream. A client that does not take it in time is dropped.
func (s *eventStream) Write(part []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return 0, http.ErrHandlerTimeout
	case !s.begun && bytes.Equal(part, listening):
		return len(part), nil
	case bytes.Equal(part, completed):
		part = completeEnd
	}
	_ = s.control.SetWriteDeadline(time.Now().Add(s.take))
	n, err := s.ResponseWriter.Write(part)
	return n, s.failed(err)
}

// Flush sends what was written.
func (s *eventStream) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		_ = s.failed(s.control.Flush())
	}
}

// failed ends the stream at an error.
func (s *eventStream) failed(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		droppedOf(s.ctx).say(s.ctx, "what was sent was not taken in time")
	}
	if err != nil {
		s.end()
	}
	return err
}

// close ends the stream: gqlgen's pings may outlast the answer for a moment.
func (s *eventStream) close() {
	s.end()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}
