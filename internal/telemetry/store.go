package telemetry

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/semconv/v1.43.0/dbconv"
	"go.opentelemetry.io/otel/trace"

	"mneme/store"
)

var _ store.Observer = (*Signals)(nil)

// Begin measures a round trip of a store, and gives it a span where whoever asks for it has one.
func (s *Signals) Begin(ctx context.Context, name string) func(error) {
	began := time.Now()
	span := s.storeSpan(ctx, name)
	return func(err error) {
		fault := faultOf(err)
		s.roundTrips.Record(ctx, time.Since(began).Seconds(),
			labelled(semconv.DBSystemNameKey.String(s.store), semconv.DBOperationName(name), semconv.ErrorTypeKey.String(fault)))
		end(span, fault)
	}
}

// storeSpan is a part of the asker's span, of several askers that of the first who has one.
func (s *Signals) storeSpan(ctx context.Context, name string) trace.Span {
	if s.traces == nil {
		return noSpan
	}
	askers := append([]context.Context{ctx}, store.Askers(ctx)...)
	at := slices.IndexFunc(askers, func(asker context.Context) bool { return trace.SpanContextFromContext(asker).IsValid() })
	if at < 0 {
		return noSpan
	}
	_, span := s.tracer.Start(askers[at], name, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(semconv.DBSystemNameKey.String(s.store), semconv.DBOperationName(name)))
	return span
}

// Statements counts statements of SQLite.
func (s *Signals) Statements(count int) {
	s.statements.Add(context.Background(), int64(count), labelled(semconv.DBSystemNameKey.String(s.store)))
}

// faults are the errors of round trips and models by what they are called; what a store answers beside them is no fault
// of a round trip, such as that there is no such record.
var faults = []struct {
	err  error
	name string
}{
	{store.ErrDiskFull, "disk_full"}, {store.ErrTooMuch, "too_much"}, {store.ErrUnavailable, "unavailable"},
	{context.Canceled, "canceled"}, {context.DeadlineExceeded, "deadline_exceeded"},
	{store.ErrNotFound, ""}, {store.ErrConflict, ""}, {store.ErrInvalid, ""}, {store.ErrForgotten, ""}, {store.ErrNoticesGone, ""}, {store.ErrNoRoom, ""},
}

func faultOf(err error) string {
	if err == nil {
		return ""
	}
	for _, fault := range faults {
		if errors.Is(err, fault.err) {
			return fault.name
		}
	}
	return "_OTHER"
}

// Gauges are what is looked at when the metrics are read.
type Gauges struct {
	// Pool is how much the store reads.
	Pool func() store.Pool
	// Connections is how many connections clients have.
	Connections func() int
	// Backlog is what waited when somebody looked last; nil where nobody has. It must not look by itself.
	Backlog *atomic.Pointer[store.Backlog]
}

// Watch has gauges read, until the signals are closed.
func (s *Signals) Watch(g Gauges) {
	gauge := func(name, unit, description string) metric.Int64ObservableGauge {
		return must(s.meter.Int64ObservableGauge(name, metric.WithUnit(unit), metric.WithDescription(description)))
	}
	pool := metric.WithAttributes(semconv.DBSystemNameKey.String(s.store), semconv.DBClientConnectionPoolName("reads"))
	used := metric.WithAttributes(semconv.DBSystemNameKey.String(s.store), semconv.DBClientConnectionPoolName("reads"), semconv.DBClientConnectionStateUsed)
	reading := must(dbconv.NewClientConnectionCountObservable(s.meter)).Inst()
	waiting := must(dbconv.NewClientConnectionPendingRequestsObservable(s.meter)).Inst()
	most := must(dbconv.NewClientConnectionMaxObservable(s.meter)).Inst()
	connections := gauge("mneme.connections", "{connection}", "Connections that clients have.")
	traces := gauge("mneme.traces.held", "{trace}", "Traces that wait until they are complete.")
	oldest := gauge("mneme.traces.oldest", "s", "How long the first span of a trace that waits is here.")
	compactions := gauge("mneme.compactions.due", "{file}", "Files that still hold some of what was deleted.")
	vectors := gauge("mneme.vectors.due", "{record}", "Records of which vectors are due.")
	must(s.meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		p := g.Pool()
		o.ObserveInt64(reading, int64(p.Used), used)
		o.ObserveInt64(waiting, int64(p.Waiting), pool)
		o.ObserveInt64(most, int64(p.Most), pool)
		o.ObserveInt64(connections, int64(g.Connections()))
		b := g.Backlog.Load()
		if b == nil {
			return nil
		}
		o.ObserveInt64(traces, int64(b.Traces))
		o.ObserveInt64(compactions, int64(b.Compactions))
		o.ObserveInt64(vectors, int64(b.Vectors))
		age := time.Duration(0)
		if b.Oldest != nil {
			age = max(0, time.Since(*b.Oldest))
		}
		o.ObserveInt64(oldest, int64(age.Seconds()))
		return nil
	}, reading, waiting, most, connections, traces, oldest, compactions, vectors))
}
