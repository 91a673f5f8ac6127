package otlp_test

import (
	"context"
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
	"mneme/internal/redact"
	"mneme/service"
	"mneme/store/sqlite"
)

// secret is one that nobody has, put together here so that a scanner of this repository finds none.
const secret = "ghp" + "_q8Zr5Kd0Xw3Lm7Pv2Nc9Jt4Hs6Gb1Fy8Rk5U"

// Whatever text of a span a secret is put into, it is not kept: neither of the span, nor of the episode that follows.
func TestNoTextOfASpanKeepsASecret(t *testing.T) {
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, backend.Close(context.Background())) })
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	svc := service.New(backend, service.WithRedaction(redact.Rules()), service.WithClock(func() time.Time { return now }))
	t.Cleanup(func() { assert.NoError(t, svc.Close(context.Background())) })

	request := httptest.NewRequest(http.MethodPost, "/v1/traces", strings.NewReader(tracesWithASecret(t)))
	request.Header.Set("Content-Type", jsonForm)
	answer := httptest.NewRecorder()
	otlp.Handler(svc, slog.New(slog.DiscardHandler)).ServeHTTP(answer, request)
	require.Equal(t, http.StatusOK, answer.Code, answer.Body)
	assert.NotContains(t, answer.Body.String(), secret)
	spans := keptWithout(t, svc)
	assert.Greater(t, spans, 100)

	now = now.Add(24 * time.Hour)
	for more := true; more; {
		more, err = svc.FinishTraces(t.Context())
		require.NoError(t, err)
	}
	keptWithout(t, svc)
	episodes, err := svc.Episodes(t.Context(), service.EpisodeFilter{}, service.StartedAtDesc, service.PageInput{}, service.Include{})
	require.NoError(t, err)
	assert.NotEmpty(t, episodes.Items)
}

// keptWithout counts what is kept, none of which may hold the secret.
func keptWithout(t *testing.T, svc *service.Service) (items int) {
	require.NoError(t, svc.Export(t.Context(), func(item service.Kept) error {
		items++
		text, err := json.Marshal(item)
		assert.NotContains(t, string(text), secret)
		return err
	}))
	return items
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
		for _, value := range []any{"x " + secret, []any{secret}, `[{"role":"user","content":"` + secret + `","parts":[{"type":"text","content":"` + secret + `"}]}]`} {
			for range 3 { // one for each operation
				add(func(_, attributes map[string]any) { attributes[name] = value })
			}
			add(func(_, _ map[string]any) {}) // so that the next begins with another operation
		}
	}
	for _, name := range []string{"name", "traceState"} {
		add(func(span, _ map[string]any) { span[name] = secret })
	}
	add(func(span, _ map[string]any) { span["status"] = map[string]any{"code": 2, "message": secret} })
	add(func(span, _ map[string]any) {
		span["events"] = []any{map[string]any{"name": secret, "attributes": pairs(map[string]any{"exception.message": secret, secret: "x"})}}
	})
	add(func(_, attributes map[string]any) { attributes[secret] = "x" })
	body, err := json.Marshal(map[string]any{"resourceSpans": []any{map[string]any{
		"resource":   map[string]any{"attributes": pairs(map[string]any{"service.name": secret, "mneme.task.type": "t " + secret})},
		"scopeSpans": []any{map[string]any{"scope": map[string]any{"name": secret}, "spans": spans}},
	}}})
	require.NoError(t, err)
	return string(body)
}
