package telemetry

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"time"

	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"mneme/memory"
)

// The doors that operations come by.
const (
	GraphQL = "graphql"
	MCP     = "mcp"
	OTLP    = "otlp"
)

// Unknown is the type or the name of an operation that there is not, whatever the client called it.
const Unknown = "unknown"

// Operation is what a client asked for by a door.
type Operation struct {
	of               *Signals
	ctx              context.Context // of the operation, as long as that lasts
	door, kind, name string
	outcome          string
	began            time.Time
	span             trace.Span
	done             bool
}

type operationOfKey struct{}

// Operation begins an operation, which is Unknown until Is says what it is; End ends it.
func (s *Signals) Operation(ctx context.Context, door string) (context.Context, *Operation) {
	o := &Operation{of: s, door: door, kind: Unknown, name: Unknown, outcome: ok, began: time.Now()}
	if o.span = noSpan; door != OTLP { // or a server whose spans come to itself would make more of each, without end
		ctx, o.span = s.tracer.Start(ctx, door)
	}
	o.ctx = context.WithValue(ctx, operationOfKey{}, o)
	return o.ctx, o
}

// Operations makes each request an operation of a type and name. The next handler tells its outcome (OperationOf).
func (s *Signals) Operations(door, kind, name string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, o := s.Operation(r.Context(), door)
		o.Is(kind, name)
		defer o.End()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// OperationOf is the operation of a context, one that nobody measures where it has none.
func OperationOf(ctx context.Context) *Operation {
	o, measured := ctx.Value(operationOfKey{}).(*Operation)
	if !measured {
		_, o = Silent().Operation(ctx, Unknown)
	}
	return o
}

// Is says what is asked for: a type, and a name that the server has.
func (o *Operation) Is(kind, name string) {
	o.kind, o.name = kind, name
}

// plainNames are the names of operations that can be nothing else.
var plainNames = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// Called says what the client calls a GraphQL operation. It stands in its span where it is plain, and in no label.
func (o *Operation) Called(name string, redacted func(string) string) {
	if o.span.IsRecording() && plainNames.MatchString(name) && redacted(name) == name {
		o.span.SetAttributes(semconv.GraphQLOperationName(name))
	}
}

// Failed says why the operation failed; the first reason counts.
func (o *Operation) Failed(code memory.Code) {
	if o.outcome != ok {
		return
	}
	o.outcome = string(memory.CodeInternal)
	if slices.Contains(memory.Codes, code) {
		o.outcome = string(code)
	}
}

// ok is the outcome of what did not fail. Others are the codes of errors.
const ok = "ok"

// Leave ends the operation without measuring it: it goes on as a stream.
func (o *Operation) Leave() { o.end(false) }

// End ends the operation. A second call does nothing.
func (o *Operation) End() { o.end(true) }

func (o *Operation) end(measured bool) {
	if o.done {
		return
	}
	o.done = true
	if measured {
		o.of.operations.Record(o.ctx, time.Since(o.began).Seconds(), labelled(
			doorKey.String(o.door), kindKey.String(o.kind), nameKey.String(o.name), outcomeKey.String(o.outcome)))
	}
	o.span.SetName(o.door + " " + o.kind)
	o.span.SetAttributes(nameKey.String(o.name), outcomeKey.String(o.outcome))
	switch {
	case o.door == GraphQL && o.kind != Unknown:
		o.span.SetName(o.kind) // as the convention has it
		o.span.SetAttributes(semconv.GraphQLOperationTypeKey.String(o.kind))
	case o.door == MCP && o.kind == "tool":
		o.span.SetName("tools/call " + o.name)
	}
	fault := ""
	if o.outcome != ok {
		fault = o.outcome
	}
	end(o.span, fault)
}

// noSpan stands for that of what no trace is told of.
var noSpan = trace.SpanFromContext(context.Background())

// end ends a span, of what failed where a fault is named.
func end(span trace.Span, fault string) {
	if fault != "" {
		span.SetAttributes(semconv.ErrorTypeKey.String(fault))
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// Spans counts the spans that the operation sent: kept, without anything that is kept, and left out.
func (o *Operation) Spans(kept, unread, left int) {
	for outcome, count := range map[string]int{"kept": kept, "unread": unread, "left_out": left} {
		if count > 0 {
			o.of.spans.Add(context.Background(), int64(count), labelled(outcomeKey.String(outcome)))
		}
	}
}
