package otlp_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"mneme/internal/otlp"
	"mneme/memory"
	"mneme/memory/capture"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/servicetest"
	"mneme/service/traces"
	"mneme/store/sqlite"
)

// openService makes episodes of traces almost at once.
func openService(t *testing.T) *service.Tenant {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	opened := service.New(backend, service.WithTraceWaits(capture.TraceWaits{Quiet: 100 * time.Millisecond, Silence: time.Hour}))
	svc := servicetest.Bind(t.Context(), t, opened)
	t.Cleanup(func() {
		require.NoError(t, opened.Close(context.Background()))
		require.NoError(t, backend.Close(context.Background()))
	})
	return svc
}

// instrument gives a tracer that sends through OpenTelemetry's own exporter.
func instrument(t *testing.T, handler http.Handler, options ...otlptracehttp.Option) (trace.Tracer, *sdk.TracerProvider) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	options = append([]otlptracehttp.Option{otlptracehttp.WithEndpointURL(server.URL + "/v1/traces")}, options...)
	exporter, err := otlptracehttp.New(t.Context(), options...)
	require.NoError(t, err)
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(resource.NewSchemaless(
		attribute.String("service.name", "shop"), attribute.String("mneme.task.type", "refunds"))))
	t.Cleanup(func() { assert.NoError(t, provider.Shutdown(context.Background())) })
	return provider.Tracer("test"), provider
}

// serveRequest is a request in which an agent asks a model, runs a tool that fails, and answers.
func serveRequest(ctx context.Context, tracer trace.Tracer) (traceID string) {
	ctx, request := tracer.Start(ctx, "POST /chat", trace.WithSpanKind(trace.SpanKindServer))
	ctx, run := tracer.Start(ctx, "invoke_agent support", trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "invoke_agent"), attribute.String("gen_ai.agent.name", "support"),
		attribute.String("gen_ai.agent.id", "asst_1"), attribute.String("gen_ai.conversation.id", "chat-7"),
		attribute.String("gen_ai.input.messages", `[{"role":"user","parts":[{"type":"text","content":"Refund order 17"}]}]`)))
	_, chat := tracer.Start(ctx, "chat gpt-5", trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "chat"), attribute.String("gen_ai.request.model", "gpt-5"),
		attribute.StringSlice("mneme.informed_by", []string{"episode:earlier", "episode:unknown"}),
		attribute.String("gen_ai.output.messages", `[{"role":"assistant","parts":[{"type":"reasoning","content":"Look it up."},{"type":"tool_call","id":"c1","name":"get_order","arguments":{"order":17}}],"finish_reason":"tool_call"}]`)))
	chat.End()
	_, tool := tracer.Start(ctx, "execute_tool get_order", trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "execute_tool"), attribute.String("gen_ai.tool.name", "get_order"),
		attribute.String("gen_ai.tool.call.id", "c1"), attribute.String("gen_ai.tool.call.arguments", `{"order":17}`)))
	_, query := tracer.Start(trace.ContextWithSpan(ctx, tool), "SELECT orders")
	query.End()
	tool.RecordError(errors.New("no such order"))
	tool.SetStatus(codes.Error, "no such order")
	tool.End()
	run.SetAttributes(attribute.String("gen_ai.output.messages", `[{"role":"assistant","parts":[{"type":"text","content":"There is no order 17."}]}]`))
	run.End()
	request.End()
	return request.SpanContext().TraceID().String()
}

func episodeOf(t *testing.T, svc *service.Tenant, key string, is func(*memory.Episode) bool) *memory.Episode {
	t.Helper()
	var episode *memory.Episode
	require.Eventually(t, func() bool {
		found, err := svc.Episodes.ByKey(t.Context(), []string{key}, boundary.Include{}, nil)
		episode = found[0]
		return err == nil && episode != nil && is(episode)
	}, time.Minute, 20*time.Millisecond)
	return episode
}

func TestOpenTelemetrySends(t *testing.T) {
	compressed := otlptracehttp.WithCompression(otlptracehttp.GzipCompression)
	for name, options := range map[string][]otlptracehttp.Option{"plain": nil, "gzip": {compressed}} {
		t.Run(name, func(t *testing.T) {
			svc := openService(t)
			tracer, provider := instrument(t, otlp.Handler(to(svc.Traces), strings.Clone, slog.Default()), options...)
			_, err := svc.Episodes.RecordEpisode(t.Context(), boundary.RecordEpisodeInput{ID: new("earlier"), AgentID: "support", Observation: "Refund order 16"}, boundary.Include{})
			require.NoError(t, err)
			key := serveRequest(t.Context(), tracer)
			require.NoError(t, provider.ForceFlush(t.Context()))

			e := episodeOf(t, svc, key, func(*memory.Episode) bool { return true })
			assert.Equal(t, "Refund order 17", e.Observation)
			assert.Equal(t, "support", e.AgentKey)
			assert.Equal(t, "chat-7", *e.SessionKey)
			assert.Equal(t, "refunds", *e.TaskType)
			assert.Equal(t, []string{"Look it up."}, e.Thoughts)
			require.Len(t, e.Actions, 1)
			assert.Equal(t, "get_order", e.Actions[0].StepName)
			assert.JSONEq(t, `{"arguments":{"order":17},"error":"no such order"}`, string(e.Actions[0].Result))
			assert.Equal(t, "There is no order 17.", *e.Result)
			assert.Equal(t, memory.OutcomeSuccess, e.Outcome)
			assert.JSONEq(t, `{"service.name":"shop","gen_ai.agent.id":"asst_1","gen_ai.request.model":"gpt-5"}`, string(e.Metadata))
			informing, err := svc.Episodes.Linked(t.Context(), []string{key}, memory.LinkInformedBy, reading.PageInput{}, nil, boundary.Include{})
			require.NoError(t, err)
			require.Len(t, informing[key].Items, 1)
			assert.Equal(t, "earlier", informing[key].Items[0].Key)
			log, err := svc.Episodes.Events(t.Context(), key, reading.PageInput{})
			require.NoError(t, err)
			types := make([]string, len(log.Items))
			for i, entry := range log.Items {
				types[i] = entry.Type
			}
			assert.Equal(t, []string{"other_span", "agent_span", "model_span", "tool_span"}, types, "the query says nothing of the run")
		})
	}
}

// A run in several batches, the tool's last, as a slow sender brings them.
func TestOpenTelemetrySendsLate(t *testing.T) {
	svc := openService(t)
	tracer, provider := instrument(t, otlp.Handler(to(svc.Traces), strings.Clone, slog.Default()))
	ctx, run := tracer.Start(t.Context(), "invoke_agent support", trace.WithAttributes(attribute.String("gen_ai.operation.name", "invoke_agent")))
	_, tool := tracer.Start(ctx, "execute_tool get_order", trace.WithAttributes(attribute.String("gen_ai.operation.name", "execute_tool")))
	run.SetStatus(codes.Error, "timeout")
	run.End()
	require.NoError(t, provider.ForceFlush(t.Context()))
	key := run.SpanContext().TraceID().String()
	e := episodeOf(t, svc, key, func(*memory.Episode) bool { return true })
	assert.Empty(t, e.Actions)
	assert.Equal(t, memory.OutcomeFailure, e.Outcome)
	assert.Equal(t, "timeout", *e.Result)
	assert.Equal(t, "support", e.AgentKey)

	tool.End()
	require.NoError(t, provider.ForceFlush(t.Context()))
	e = episodeOf(t, svc, key, func(e *memory.Episode) bool { return len(e.Actions) > 0 })
	assert.Equal(t, "get_order", e.Actions[0].StepName)
}

// faltering fails at first, as a store that cannot be reached for a while.
type faltering struct {
	otlp.Recorder
	calls atomic.Int32
}

func (f *faltering) RecordSpans(ctx context.Context, spans []boundary.TraceSpan) (traces.RecordedSpans, error) {
	if f.calls.Add(1) == 1 {
		return traces.RecordedSpans{}, &memory.Error{Code: memory.CodeUnavailable, Message: "away"}
	}
	return f.Recorder.RecordSpans(ctx, spans)
}

func TestOpenTelemetrySendsAgainWhatCouldNotBeKept(t *testing.T) {
	svc := openService(t)
	recorder := &faltering{Recorder: svc.Traces}
	handler := otlp.Handler(to(recorder), strings.Clone, slog.New(slog.DiscardHandler))
	at := otlptracehttp.WithRetry(otlptracehttp.RetryConfig{Enabled: true, InitialInterval: time.Millisecond, MaxInterval: time.Millisecond, MaxElapsedTime: time.Minute})
	soon := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(impatient{w}, r)
	})
	tracer, provider := instrument(t, soon, at)
	key := serveRequest(t.Context(), tracer)
	require.NoError(t, provider.ForceFlush(t.Context()))
	episodeOf(t, svc, key, func(*memory.Episode) bool { return true })
	assert.Equal(t, int32(2), recorder.calls.Load())
}

// impatient takes the advice to wait out of an answer.
type impatient struct{ http.ResponseWriter }

func (w impatient) WriteHeader(status int) {
	w.Header().Del("Retry-After")
	w.ResponseWriter.WriteHeader(status)
}
