package telemetry

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	goruntime "runtime"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/otlptranslator"
	"go.opentelemetry.io/contrib/instrumentation/runtime"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	exporter "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/metric"
	nometrics "go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/exemplar"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
	notraces "go.opentelemetry.io/otel/trace/noop"
)

// Options say what signals there are and where they go.
type Options struct {
	// Out is what is sent out, and where to.
	Out Out
	// Version is the build's, Store the kind of the store: SQLite or Neo4j.
	Version, Store string
	// Log is told of what cannot be sent out, not more than once a minute for each signal.
	Log *slog.Logger
}

// Signals are those of a server. They are safe for concurrent use.
type Signals struct {
	*instruments
	store    string
	registry *prometheus.Registry
	meters   *sdkmetric.MeterProvider
	traces   *sdktrace.TracerProvider // nil where none are sent out
	tracer   trace.Tracer
}

// Silent are signals that take everything and tell nobody. They are not closed.
var Silent = sync.OnceValue(func() *Signals {
	return &Signals{instruments: newInstruments(nometrics.NewMeterProvider().Meter(scope)), tracer: notraces.NewTracerProvider().Tracer(scope)}
})

// scope names who measures.
const scope = "mneme"

// maxSets is how many different sets of labels one metric may have; beyond them all are counted as one. By what labels
// can say there are fewer.
const maxSets = 4000

// New makes the signals of a server; Close ends them.
func New(ctx context.Context, options Options) (*Signals, error) {
	describes, err := described(ctx, options)
	if err != nil {
		return nil, err
	}
	s := &Signals{store: options.Store, registry: prometheus.NewRegistry(), tracer: Silent().tracer}
	scraped, err := exporter.New(exporter.WithRegisterer(s.registry), exporter.WithoutScopeInfo(),
		exporter.WithTranslationStrategy(otlptranslator.UnderscoreEscapingWithSuffixes))
	if err != nil {
		return nil, err
	}
	setting := []sdkmetric.Option{
		sdkmetric.WithResource(describes), sdkmetric.WithReader(scraped), sdkmetric.WithExemplarFilter(exemplar.AlwaysOffFilter), sdkmetric.WithCardinalityLimit(maxSets),
	}
	if options.Out.Metrics {
		sent, err := otlpmetrichttp.New(ctx)
		if err != nil {
			return nil, err
		}
		setting = append(setting, sdkmetric.WithReader(sdkmetric.NewPeriodicReader(&metricsOut{sent, newFailures(options.Log, "metrics")})))
	}
	s.meters = sdkmetric.NewMeterProvider(setting...)
	if options.Out.Traces {
		sent, err := otlptracehttp.New(ctx)
		if err != nil {
			return nil, errors.Join(err, s.meters.Shutdown(ctx))
		}
		// It sends in the background, and drops spans for which there is no room while they cannot be sent.
		s.traces = sdktrace.NewTracerProvider(sdktrace.WithResource(describes), sdktrace.WithBatcher(&spansOut{sent, newFailures(options.Log, "traces")}))
		s.tracer = s.traces.Tracer(scope)
	}
	s.instruments = newInstruments(s.meters.Meter(scope))
	if err := runtime.Start(runtime.WithMeterProvider(s.meters), runtime.WithMinimumReadMemStatsInterval(10*time.Second)); err != nil {
		return nil, errors.Join(err, s.Close(ctx))
	}
	s.build.Record(ctx, 1, metric.WithAttributes(
		attribute.String("version", options.Version), attribute.String("go_version", goruntime.Version()), attribute.String("store", options.Store)))
	return s, nil
}

// described is the resource that all is of: what the standard variables say, and what mneme knows of itself.
func described(ctx context.Context, options Options) (*resource.Resource, error) {
	described, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithAttributes(
		semconv.ServiceName("mneme"), semconv.ServiceVersion(options.Version), semconv.ServiceInstanceID(uuid.NewString()),
	), resource.WithFromEnv())
	if err != nil { // which repeats what it cannot read
		return nil, errors.New("OTEL_RESOURCE_ATTRIBUTES must be like name=value,other=value, with what is no letter or digit as %20")
	}
	return described, nil
}

// Close sends out what is still to be sent, until the context ends, and ends the signals.
func (s *Signals) Close(ctx context.Context) error {
	err := s.meters.Shutdown(ctx)
	if s.traces != nil {
		err = errors.Join(err, s.traces.Shutdown(ctx))
	}
	return err
}

// Handler answers what Prometheus asks for.
func (s *Signals) Handler() http.Handler {
	return promhttp.HandlerFor(s.registry, promhttp.HandlerOpts{
		DisableCompression: true, MaxRequestsInFlight: 4, ErrorHandling: promhttp.ContinueOnError,
	})
}

// Attributes are what a line of the log says of a context's trace; none where no trace is on.
func Attributes(ctx context.Context) []slog.Attr {
	span := trace.SpanContextFromContext(ctx)
	if !span.IsValid() {
		return nil
	}
	return []slog.Attr{slog.String("trace_id", span.TraceID().String()), slog.String("span_id", span.SpanID().String())}
}
