package e2e

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/otlp"
	"mneme/memory"
	"mneme/memory/capture"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/servicetest"
	"mneme/service/upkeep"
)

// testTraces lets spans of one trace come in pieces, to several servers on one store that all make
// episodes at once: whatever the order, the episode ends with every span, each once.
func testTraces(t *testing.T, w *world) {
	const trace = "0af7651916cd43dd8448eb211c80319c"
	ctx := service.WithTenant(t.Context(), w.tenant)
	servers := make([]*service.Tenant, 4)
	for i := range servers {
		server := service.New(w.backend, service.WithLogger(slog.New(slog.DiscardHandler)),
			service.WithClock(func() time.Time { return now }), service.WithTraceWaits(capture.TraceWaits{}))
		servers[i] = servicetest.Bind(ctx, t, server)
		t.Cleanup(func() { assert.NoError(t, server.Close(t.Context())) })
	}
	root := capture.Span{
		ID: "root", Kind: capture.SpanAgent, Name: "support", Agent: "support", Session: "chat", Given: memory.JSON(`"Refund order 17"`),
		Gave: memory.JSON(`"Refunded."`), StartedAt: now.Add(-time.Minute).Add(7), EndedAt: now.Add(-time.Second),
	}
	for round := range 3 {
		var together sync.WaitGroup
		for i, server := range servers {
			together.Go(func() {
				step := capture.Span{
					ID: fmt.Sprintf("%d-%d", round, i), Parent: "root", Kind: capture.SpanTool, Name: fmt.Sprintf("step %d-%d", round, i),
					Given:     memory.JSON(`{"a":"<1>","b":[1.50]}`),
					StartedAt: now.Add(time.Duration(-50+round*4+i) * time.Second), EndedAt: now.Add(time.Duration(-49+round*4+i) * time.Second),
				}
				_, err := server.Traces.RecordSpans(ctx, []boundary.TraceSpan{{Trace: trace, Span: step}, {Trace: trace, Span: root}})
				assert.NoError(t, err)
				_, err = server.Traces.Finish(ctx)
				assert.NoError(t, err, "%v", errors.Unwrap(err))
			})
		}
		together.Wait()
	}
	more, err := servers[0].Traces.Finish(ctx)
	require.NoError(t, err)
	assert.False(t, more, "nothing is held any more")

	var data struct {
		Episode struct {
			Agent                struct{ Name string }
			Observation, Outcome string
			SessionID            string
			Actions              []struct{ StepName string }
			Events               struct{ TotalCount int }
		}
	}
	w.ask(t, `query ($id: ID!) { episode(id: $id) { agent { name } observation outcome sessionId actions { stepName } events { totalCount } } }`, vars{"id": trace}, &data)
	e := data.Episode
	assert.Equal(t, []string{"support", "Refund order 17", "SUCCESS", "session:chat"}, []string{e.Agent.Name, e.Observation, e.Outcome, e.SessionID})
	assert.Equal(t, 13, e.Events.TotalCount)
	want := []string{}
	for round := range 3 {
		for i := range servers {
			want = append(want, fmt.Sprintf("step %d-%d", round, i))
		}
	}
	got := []string{}
	for _, action := range e.Actions {
		got = append(got, action.StepName)
	}
	assert.Equal(t, want, got)
}

// testDeepSpans sends what a tool gave nested deeper than anything decodes, and sees that nothing is in the way of
// reading, exporting and forgetting afterwards.
func testDeepSpans(t *testing.T, w *world) {
	ctx := service.WithTenant(t.Context(), w.tenant)
	opened := service.New(w.backend, service.WithLogger(slog.New(slog.DiscardHandler)),
		service.WithClock(func() time.Time { return now }), service.WithTraceWaits(capture.TraceWaits{}))
	t.Cleanup(func() { assert.NoError(t, opened.Close(t.Context())) })
	server := servicetest.Bind(ctx, t, opened)
	w.episode(t, "beside", "Refund order 18", nil)
	for i, depth := range []int{9_998, 9_999} {
		body := fmt.Sprintf(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60%d","spanId":"eee19b7ec3c1b174","name":"invoke_agent deep",
			"startTimeUnixNano":"1544712660000000000","endTimeUnixNano":"1544712661000000000","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"invoke_agent"}}]},
			{"traceId":"5b8efff798038103d269b633813fc60%[1]d","spanId":"eee19b7ec3c1b175","parentSpanId":"eee19b7ec3c1b174","name":"execute_tool x",
			"startTimeUnixNano":"1544712660000000000","endTimeUnixNano":"1544712661000000000","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},
			{"key":"gen_ai.tool.call.arguments","value":{"stringValue":"%[2]s"}},{"key":"gen_ai.tool.call.result","value":{"stringValue":"%[2]s"}}]}]}]}]}`,
			i, strings.Repeat("[", depth)+strings.Repeat("]", depth))
		export(ctx, t, server, body)
	}
	_, err := server.Traces.Finish(ctx)
	require.NoError(t, err)
	require.Equal(t, 3, w.count(t))
	w.ask(t, `{ episodes { nodes { actions { result } events { nodes { data } } } }
		recall(input: {situation: "refund"}) { hits { episode { actions { result } } } } search(query: "refund") { nodes { node { id } } } }`, nil, nil)
	require.NoError(t, server.Upkeep.Export(ctx, func(upkeep.Kept) error { return nil }))
	_, err = server.Upkeep.Delete(ctx, memory.KindAgent, boundary.DeleteInput{ID: "deep"})
	require.NoError(t, err)
	require.Equal(t, 1, w.count(t))
}

// export sends spans as a client does.
func export(ctx context.Context, t *testing.T, server *service.Tenant, body string) {
	t.Helper()
	request := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/traces", strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	otlp.Handler(func(context.Context) (otlp.Recorder, error) { return server.Traces, nil }, strings.Clone, slog.New(slog.DiscardHandler)).ServeHTTP(answer, request)
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	require.NotContains(t, answer.Body.String(), "rejectedSpans")
}
