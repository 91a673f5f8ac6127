package gqlhttp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"mneme/internal/signals"
	"mneme/memory"
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

func newEventStream(w http.ResponseWriter, times LiveTimes) *eventStream {
	s := &eventStream{w: w, control: http.NewResponseController(w), times: times}
	_ = s.control.SetReadDeadline(time.Time{}) // there is nothing more to come but the end
	header := w.Header()
	header.Set("Content-Type", mediaEvents+"; charset=utf-8")
	header.Set("Cache-Control", "no-cache")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Accel-Buffering", "no") // or a proxy may keep events back
	w.WriteHeader(http.StatusOK)
	return s
}

// send writes a part of the stream, which the client must take in time. Where it does not, the log says so: to the client
// nothing can be said any more.
func (s *eventStream) send(ctx context.Context, parts ...[]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.control.SetWriteDeadline(time.Now().Add(s.times.Take))
	err := s.write(parts)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		droppedOf(ctx).say(ctx, "what was sent was not taken in time")
	}
	return err
}

func (s *eventStream) write(parts [][]byte) error {
	for _, part := range parts {
		if _, err := s.w.Write(part); err != nil {
			return err
		}
	}
	return s.control.Flush()
}

// ping keeps a quiet connection alive, and ends it where nobody is there any more.
func (s *eventStream) ping(ctx context.Context, end context.CancelFunc) {
	ticks := time.NewTicker(s.times.Quiet)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			if s.send(ctx, []byte(":\n\n")) != nil {
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
	measured, shown := signals.OperationOf(ctx), t.presented(ctx, faults)
	if faults == nil {
		t.name(measured, operation)
		measured.Leave() // it goes on as a stream
	} else {
		measured.Failed(codeOf(shown[0]))
		measured.End()
	}
	ctx = withDropped(ctx, t.options.Log)
	ctx, end := context.WithCancel(ctx)
	var pinging sync.WaitGroup
	defer pinging.Wait()
	defer end()
	events := newEventStream(w, t.options.Live)
	responses := graphql.OneShot(&graphql.Response{Errors: shown})
	if faults == nil {
		responses, ctx = exec.DispatchOperation(ctx, operation)
		if events.send(ctx, []byte(":\n\n")) != nil { // so that the client knows from when on it hears
			return
		}
		lasting := ctx
		pinging.Go(func() { events.ping(lasting, end) })
	}
	for response := responses(ctx); response != nil; response = responses(ctx) {
		text, err := json.Marshal(response)
		if err != nil || events.send(ctx, []byte("event: next\ndata: "), text, []byte("\n\n")) != nil {
			return
		}
	}
	_ = events.send(ctx, []byte("event: complete\ndata:\n\n"))
}
