package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"mneme/internal/inbound"
)

// Out is what is sent out by OTLP over HTTP, as the standard variables say. The SDK reads those that say how.
type Out struct {
	Traces, Metrics bool
}

// OutFromEnv reads what is to be sent out from the environment (os.LookupEnv). Nothing is unless OTEL_TRACES_EXPORTER
// or OTEL_METRICS_EXPORTER is otlp: an endpoint alone may be meant for agents that send their spans here. The error
// names the variable at fault, and says what it may be, without repeating what it is.
func OutFromEnv(lookup func(string) (string, bool)) (Out, error) {
	get := func(name string) string {
		value, _ := lookup(name)
		return strings.TrimSpace(value)
	}
	var o Out
	for signal, set := range map[string]*bool{"TRACES": &o.Traces, "METRICS": &o.Metrics} {
		switch name := "OTEL_" + signal + "_EXPORTER"; get(name) {
		case "", "none":
			continue
		case "otlp":
		default:
			return Out{}, fmt.Errorf("%s must be otlp or none", name)
		}
		if *set = !strings.EqualFold(get("OTEL_SDK_DISABLED"), "true"); !*set {
			continue
		}
		for _, part := range []string{"", signal + "_"} {
			if err := checkOut("OTEL_EXPORTER_OTLP_"+part, get); err != nil {
				return Out{}, err
			}
		}
	}
	return o, nil
}

// checkOut looks at the variables whose names begin alike. The SDK leaves out what it cannot read, and says so with the
// whole of it, which may be a key.
func checkOut(prefix string, get func(string) string) error {
	if protocol := get(prefix + "PROTOCOL"); protocol != "" && protocol != "http/protobuf" {
		return fmt.Errorf("%sPROTOCOL must be http/protobuf", prefix)
	}
	if endpoint := get(prefix + "ENDPOINT"); endpoint != "" {
		if u, err := url.Parse(endpoint); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("%sENDPOINT must be a URL such as http://localhost:4318", prefix)
		}
	}
	if headers := get(prefix + "HEADERS"); headers != "" {
		for header := range strings.SplitSeq(headers, ",") {
			name, value, ok := strings.Cut(header, "=")
			if _, err := url.PathUnescape(value); err != nil || !ok || strings.TrimSpace(name) == "" {
				return fmt.Errorf("%sHEADERS must be like name=value,other=value, with what is no letter or digit as %%20", prefix)
			}
		}
	}
	return nil
}

// failures say in the log what cannot be sent out.
type failures struct{ *inbound.RateLimitedWarning }

func newFailures(log *slog.Logger, what string) failures {
	return failures{inbound.NewRateLimitedWarning(log.With("signal", what), "what was measured cannot be sent out; requests do not wait for it", time.Minute)}
}

func (f failures) tell(err error) error {
	if inner, ok := errors.AsType[*url.Error](err); ok {
		err = inner.Err // without the address, which may hold a key
	}
	if err != nil {
		f.Warn("error", err)
	}
	return nil
}

type spansOut struct {
	sdktrace.SpanExporter
	failures
}

func (o *spansOut) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	return o.tell(o.SpanExporter.ExportSpans(ctx, spans))
}

type metricsOut struct {
	sdkmetric.Exporter
	failures
}

func (o *metricsOut) Export(ctx context.Context, all *metricdata.ResourceMetrics) error {
	return o.tell(o.Exporter.Export(ctx, all))
}
