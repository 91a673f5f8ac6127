package auth

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/inbound"
	"mneme/memory"
	"mneme/memory/access"
)

func TestKeyLimit(t *testing.T) {
	var log bytes.Buffer
	served := 0
	limit := NewKeyLimit(10, nil, inbound.NewRateLimitedWarning(slog.New(slog.NewTextHandler(&log, nil)), "too often", time.Hour))
	now := time.Now()
	limit.keys.now = func() time.Time { return now }
	handler := limit.Guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served++ }))
	ask := func(tenant, name string) *httptest.ResponseRecorder {
		request := httptest.NewRequest(http.MethodPost, "/graphql", nil)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request.WithContext(access.With(t.Context(), access.Caller{Tenant: tenant, Role: access.Admin, Name: name})))
		return answer
	}
	for range 20 {
		assert.Equal(t, 200, ask("acme", "mneme_a").Code)
	}
	refused := ask("acme", "mneme_a")
	assert.Equal(t, http.StatusTooManyRequests, refused.Code)
	assert.Equal(t, "1", refused.Header().Get("Retry-After"))
	assert.Contains(t, refused.Body.String(), `"LIMIT_EXCEEDED"`)
	assert.Equal(t, 20, served, "nothing is done for it")
	assert.Contains(t, log.String(), "too often")

	assert.Equal(t, 200, ask("acme", "mneme_b").Code, "another key is not held up")
	assert.Equal(t, 200, ask("other", "oidc:ada").Code)
	now = now.Add(100 * time.Millisecond)
	assert.Equal(t, 200, ask("acme", "mneme_a").Code)
	assert.Equal(t, 429, ask("acme", "mneme_a").Code, "ten a second")
	for range 100 {
		assert.Equal(t, 200, ask("default", "local").Code, "without keys nothing is limited")
	}

	for i := range 100_000 {
		require.Equal(t, 200, ask("acme", "oidc:"+strconv.Itoa(i)).Code)
		if i%1000 == 0 {
			require.Equal(t, 429, ask("acme", "mneme_a").Code, "who asks on and on is not forgotten for others")
		}
	}
	assert.Equal(t, limitedKeys, limit.keys.callers.Len(), "what is held does not grow with how many ask")
}

// TestTurns: what is asked over one connection counts as requests do.
func TestTurns(t *testing.T) {
	limit := NewKeyLimit(5, nil, inbound.NewRateLimitedWarning(slog.New(slog.DiscardHandler), "too often", time.Hour))
	now := time.Now()
	limit.keys.now = func() time.Time { return now }
	var turns []memory.Code
	handler := limit.Guard(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		for range 12 {
			if err := access.Turn(r.Context()); err != nil {
				turns = append(turns, err.Code)
			}
		}
	}))
	request := httptest.NewRequest(http.MethodGet, "/graphql", nil)
	handler.ServeHTTP(httptest.NewRecorder(), request.WithContext(access.With(t.Context(), access.Caller{Tenant: "acme", Role: access.Reader, Name: "mneme_a"})))
	assert.Equal(t, []memory.Code{memory.CodeLimitExceeded, memory.CodeLimitExceeded, memory.CodeLimitExceeded}, turns, "ten at once: the connection, and nine more")
	assert.Nil(t, access.Turn(t.Context()), "where nothing is limited")
}
