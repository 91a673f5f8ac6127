package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// What models are asked for.
const (
	Embeddings = "embeddings"
	Chat       = "chat"
)

const (
	providerKey = attribute.Key("gen_ai.provider.name")
	modelKey    = attribute.Key("gen_ai.request.model")
	// protocol is what all models are asked by, whoever provides them.
	protocol = "openai"
)

// Model measures a call of a model, which the configuration names.
func (s *Signals) Model(ctx context.Context, operation, model string, call func(context.Context) error) error {
	began := time.Now()
	span := noSpan
	if trace.SpanContextFromContext(ctx).IsValid() {
		ctx, span = s.tracer.Start(ctx, operation+" "+model, trace.WithSpanKind(trace.SpanKindClient),
			trace.WithAttributes(operationKey.String(operation), providerKey.String(protocol), modelKey.String(model)))
	}
	err := call(ctx)
	fault := faultOf(err)
	s.models.Record(ctx, time.Since(began).Seconds(), labelled(
		operationKey.String(operation), providerKey.String(protocol), modelKey.String(model), semconv.ErrorTypeKey.String(fault)))
	end(span, fault)
	return err
}

// Retried counts a call of a model that is made again.
func (s *Signals) Retried(operation string) {
	s.retries.Add(context.Background(), 1, labelled(operationKey.String(operation)))
}
