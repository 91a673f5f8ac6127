package telemetry

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// Request is a request of HTTP that is under way.
type Request struct {
	of            *Signals
	ctx           context.Context // of the request, as long as that lasts
	began         time.Time
	method, route string
	span          trace.Span
	activeOption  metric.MeasurementOption
}

// knownMethods are those that a label or a span names; others are "_OTHER".
var knownMethods = map[string]bool{
	http.MethodGet: true, http.MethodHead: true, http.MethodPost: true, http.MethodPut: true, http.MethodPatch: true,
	http.MethodDelete: true, http.MethodOptions: true, http.MethodTrace: true, http.MethodConnect: true,
}

// Request begins a request of a route, one of those that the server has, and gives it a span where traced says so: as a
// part of the caller's trace, where that has one. Of that only the traceparent is taken, which can say nothing else.
// The returned request is to be answered, and End to be called then.
func (s *Signals) Request(r *http.Request, route string, traced bool) (*http.Request, *Request) {
	q := &Request{of: s, ctx: r.Context(), began: time.Now(), method: r.Method, route: route, span: noSpan}
	if !knownMethods[q.method] {
		q.method = "_OTHER"
	}
	q.activeOption = labelled(semconv.HTTPRequestMethodKey.String(q.method), semconv.URLScheme("http"))
	s.active.Add(q.ctx, 1, q.activeOption)
	if s.traces == nil || !traced { // then the log names no trace either
		return r, q
	}
	ctx := propagation.TraceContext{}.Extract(q.ctx, propagation.HeaderCarrier(http.Header{"Traceparent": r.Header["Traceparent"]}))
	name := q.method
	if name == "_OTHER" {
		name = "HTTP"
	}
	q.ctx, q.span = s.tracer.Start(ctx, name+" "+route, trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(semconv.HTTPRequestMethodKey.String(q.method), semconv.HTTPRoute(route), semconv.URLScheme("http")))
	return r.WithContext(q.ctx), q
}

// End is told the status of the answer. The time of a stream, which lasts as long as its client likes, is not measured.
func (q *Request) End(status int, stream bool) {
	s, code, fault := q.of, strconv.Itoa(status), ""
	if status >= http.StatusInternalServerError {
		fault = code
	}
	s.active.Add(q.ctx, -1, q.activeOption)
	if !stream {
		s.requests.Record(q.ctx, time.Since(q.began).Seconds(), labelled(semconv.HTTPRequestMethodKey.String(q.method), semconv.HTTPRoute(q.route),
			semconv.HTTPResponseStatusCodeKey.String(code), semconv.ErrorTypeKey.String(fault), semconv.URLScheme("http")))
	}
	q.span.SetAttributes(semconv.HTTPResponseStatusCode(status))
	end(q.span, fault)
}

// Refused counts what was refused before it was looked at.
func (s *Signals) Refused(why Refusal) {
	s.refusals.Add(context.Background(), 1, labelled(reasonKey.String(string(why))))
}

// Refusal is why something was refused before it was looked at.
type Refusal string

// The refusals that are counted.
const (
	// KeyLimit is of a key that asks too often.
	KeyLimit Refusal = "key_limit"
	// ClientLimit is of a client with too many requests at once.
	ClientLimit Refusal = "client_limit"
	// Connections is of a client with too many connections.
	Connections Refusal = "connections"
	// WrongKey is of a key that is nobody's.
	WrongKey Refusal = "wrong_key"
	// NoRoom is of a request for which there was no memory in time.
	NoRoom Refusal = "no_room"
)

// The labels that are mneme's own.
const (
	reasonKey    = attribute.Key("reason")
	doorKey      = attribute.Key("mneme.door")
	kindKey      = attribute.Key("mneme.operation.type")
	nameKey      = attribute.Key("mneme.operation.name")
	outcomeKey   = attribute.Key("mneme.outcome")
	operationKey = attribute.Key("gen_ai.operation.name")
)
