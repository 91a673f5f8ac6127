package otlp_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/otlp"
	"mneme/internal/testsecret"
	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
)

// Whatever text of a span a secret is put into, it is not kept: neither of the span, nor of the episode that follows.
func TestNoTextOfASpanKeepsASecret(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	svc := testsecret.Open(t, service.WithClock(func() time.Time { return now }))

	request := httptest.NewRequest(http.MethodPost, "/v1/traces", strings.NewReader(tracesWithASecret(t)))
	request.Header.Set("Content-Type", jsonForm)
	answer := httptest.NewRecorder()
	otlp.Handler(to(svc.Traces), strings.Clone, slog.New(slog.DiscardHandler)).ServeHTTP(answer, request)
	require.Equal(t, http.StatusOK, answer.Code, answer.Body)
	assert.NotContains(t, answer.Body.String(), testsecret.Planted)
	assert.Greater(t, testsecret.KeptWithout(t, svc), 100)

	now = now.Add(24 * time.Hour)
	for more := true; more; {
		var err error
		more, err = svc.Traces.Finish(t.Context())
		require.NoError(t, err)
	}
	testsecret.KeptWithout(t, svc)
	episodes, err := svc.Episodes.List(t.Context(), boundary.EpisodeFilter{}, memory.NewestFirst, reading.PageInput{}, boundary.Include{})
	require.NoError(t, err)
	assert.NotEmpty(t, episodes.Items)
}

// tracesWithASecret are traces of one span, each with the secret somewhere else: in attributes of each kind of
// span, as a text, in a list, in JSON, and in what spans have beside attributes.
func tracesWithASecret(t *testing.T) string {
	var spans []any
	add := func(change func(span map[string]any, attributes map[string]any)) {
		span := map[string]any{
			"traceId": fmt.Sprintf("%032x", len(spans)+1), "spanId": fmt.Sprintf("%016x", len(spans)+1), "name": "work",
			"startTimeUnixNano": "1780000000000000000", "endTimeUnixNano": "1780000001000000000",
		}
		attributes := map[string]any{"gen_ai.operation.name": []string{"invoke_agent", "execute_tool", "chat"}[len(spans)%3], "gen_ai.agent.name": "a"}
		change(span, attributes)
		span["attributes"] = pairs(attributes)
		spans = append(spans, span)
	}
	for _, name := range otlp.ReadAttributes {
		for _, value := range []any{"x " + testsecret.Planted, []any{testsecret.Planted}, `[{"role":"user","content":"` + testsecret.Planted + `","parts":[{"type":"text","content":"` + testsecret.Planted + `"}]}]`} {
			for range 3 { // one for each operation
				add(func(_, attributes map[string]any) { attributes[name] = value })
			}
			add(func(_, _ map[string]any) {}) // so that the next begins with another operation
		}
	}
	for _, name := range []string{"name", "traceState"} {
		add(func(span, _ map[string]any) { span[name] = testsecret.Planted })
	}
	add(func(span, _ map[string]any) {
		span["status"] = map[string]any{"code": 2, "message": testsecret.Planted}
	})
	add(func(span, _ map[string]any) {
		span["events"] = []any{map[string]any{"name": testsecret.Planted, "attributes": pairs(map[string]any{"exception.message": testsecret.Planted, testsecret.Planted: "x"})}}
	})
	add(func(_, attributes map[string]any) { attributes[testsecret.Planted] = "x" })
	body, err := json.Marshal(map[string]any{"resourceSpans": []any{map[string]any{
		"resource":   map[string]any{"attributes": pairs(map[string]any{"service.name": testsecret.Planted, "mneme.task.type": "t " + testsecret.Planted})},
		"scopeSpans": []any{map[string]any{"scope": map[string]any{"name": testsecret.Planted}, "spans": spans}},
	}}})
	require.NoError(t, err)
	return string(body)
}
