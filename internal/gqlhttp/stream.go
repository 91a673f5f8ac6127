package gqlhttp

import (
	"context"
	"errors"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"mneme/internal/budget"
)

const mediaEvents = "text/event-stream"

// eventStream writes server-sent events, by the distinct connections mode of GraphQL over SSE
// (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md).
type eventStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	times   LiveTimes
	mu      sync.Mutex
}

// send writes parts of the stream, which the client must take in time. Where it does not, the log says so: to the
// client nothing can be said any more.
func (s *eventStream) send(ctx context.Context, parts ...[]byte) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.control.SetWriteDeadline(time.Now().Add(s.times.Take))
	for _, part := range parts {
		if err == nil {
			_, err = s.w.Write(part)
		}
	}
	if err == nil {
		err = s.control.Flush()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		notTaken(ctx)
	}
	return err
}

// ping keeps a quiet connection alive, and ends it where nobody is there any more.
func (s *eventStream) ping(ctx context.Context, end context.CancelCauseFunc) {
	ticks := time.NewTicker(s.times.Quiet)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			if err := s.send(ctx, []byte(":\n\n")); err != nil {
				end(err)
			}
		}
	}
}

// stream answers an operation by events. gqlgen's transport says that it listens before it does, ends with an event
// that EventSource does not dispatch, and waits for clients that take nothing.
func (t httpTransport) stream(
	ctx context.Context, w http.ResponseWriter, exec graphql.GraphExecutor, operation *graphql.OperationContext, faults gqlerror.List,
) {
	budget.Of(ctx).Keep(0) // a stream goes on for as long as the client likes
	ctx, end := connected(ctx, t.options.Log)
	var pinging sync.WaitGroup
	defer pinging.Wait()
	defer end(nil)
	events := &eventStream{w: w, control: http.NewResponseController(w), times: t.options.Live}
	_ = events.control.SetReadDeadline(time.Time{}) // there is nothing more to come but the end
	header := w.Header()
	header.Set("Content-Type", mediaEvents+"; charset=utf-8")
	header.Set("Cache-Control", "no-cache")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Accel-Buffering", "no") // or a proxy may keep events back
	responses := graphql.OneShot(&graphql.Response{Errors: faults})
	if faults == nil {
		responses, ctx = exec.DispatchOperation(ctx, operation)
		if events.send(ctx, []byte(":\n\n")) != nil { // so that the client knows from when on it hears
			return
		}
		lasting := ctx
		pinging.Go(func() { events.ping(lasting, end) })
	}
	for response := responses(ctx); response != nil; response = responses(ctx) {
		if events.send(ctx, []byte("event: next\ndata: "), beforeData(response), response.Data, []byte("}\n\n")) != nil {
			return
		}
	}
	_ = events.send(ctx, []byte("event: complete\ndata:\n\n"))
}
