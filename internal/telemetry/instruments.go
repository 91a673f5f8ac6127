package telemetry

import (
	"slices"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/semconv/v1.43.0/dbconv"
	"go.opentelemetry.io/otel/semconv/v1.43.0/httpconv"
)

// instruments are all that is measured beside what Go measures of itself. Without a convention, names begin "mneme.".
type instruments struct {
	meter metric.Meter

	build      metric.Int64Gauge
	requests   metric.Float64Histogram
	active     metric.Int64UpDownCounter
	operations metric.Float64Histogram
	spans      metric.Int64Counter
	roundTrips metric.Float64Histogram
	statements metric.Int64Counter
	models     metric.Float64Histogram
	retries    metric.Int64Counter
	refusals   metric.Int64Counter
	following  metric.Int64UpDownCounter
	told       metric.Int64Counter
	ended      metric.Int64Counter
}

// Bounds of the buckets of histograms, in seconds. Those of HTTP are the convention's.
var (
	httpBounds      = []float64{0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10}
	operationBounds = []float64{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30}
	// storeBounds have two more than the convention's: a lookup of SQLite takes some 20 µs.
	storeBounds = []float64{0.00005, 0.0002, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10}
	modelBounds = []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48}
)

func newInstruments(meter metric.Meter) *instruments {
	seconds := func(name, description string, bounds []float64) metric.Float64Histogram {
		return must(meter.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(description), metric.WithExplicitBucketBoundaries(bounds...)))
	}
	count := func(name, unit, description string) metric.Int64Counter {
		return must(meter.Int64Counter(name, metric.WithUnit(unit), metric.WithDescription(description)))
	}
	return &instruments{
		meter:      meter,
		requests:   must(httpconv.NewServerRequestDuration(meter, metric.WithExplicitBucketBoundaries(httpBounds...))).Inst(),
		active:     must(httpconv.NewServerActiveRequests(meter)).Inst(),
		roundTrips: must(dbconv.NewClientOperationDuration(meter, metric.WithExplicitBucketBoundaries(storeBounds...))).Inst(),
		build:      must(meter.Int64Gauge("mneme.build.info", metric.WithDescription("1, with what the server is built of."))),
		following:  must(meter.Int64UpDownCounter("mneme.events.subscriptions", metric.WithUnit("{subscription}"), metric.WithDescription("Subscriptions that are open."))),
		operations: seconds("mneme.operation.duration", "Duration of operations, by what was asked for and how it ended.", operationBounds),
		models:     seconds("gen_ai.client.operation.duration", "Duration of calls of the embedder and the chat model, with retries.", modelBounds),
		spans:      count("mneme.traces.spans", "{span}", "Spans that were sent here, by whether they were kept."),
		statements: count("mneme.store.statements", "{statement}", "Statements that ran in round trips of several."),
		retries:    count("mneme.model.retries", "{retry}", "Calls of the embedder and the chat model that were made again."),
		refusals:   count("mneme.refusals", "{refusal}", "What was refused before it was looked at, by why."),
		told:       count("mneme.events.delivered", "{event}", "Events that subscriptions took."),
		ended:      count("mneme.events.ended", "{subscription}", "Subscriptions that ended, by why."),
	}
}

// must is what was made of constants, so that a fault is one of the program.
func must[T any](made T, err error) T {
	if err != nil {
		panic("telemetry: " + err.Error())
	}
	return made
}

// labelled gives a record its labels, whose values are of closed sets; those without a value are left out.
func labelled(labels ...attribute.KeyValue) metric.MeasurementOption {
	said := slices.DeleteFunc(labels, func(label attribute.KeyValue) bool { return label.Value.AsString() == "" })
	return metric.WithAttributeSet(attribute.NewSet(said...))
}
