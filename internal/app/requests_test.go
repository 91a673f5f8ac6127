package app

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRequestsAreIdentified(t *testing.T) {
	tests := map[string]struct {
		sent string
		kept bool
	}{
		"none":         {"", false},
		"plain":        {"trace-1:a/b=+._Z9", true},
		"line break":   {"a\nlevel=ERROR", false},
		"blank":        {"a b", false},
		"not ASCII":    {"é", false},
		"128 long":     {strings.Repeat("a", 128), true},
		"129 too long": {strings.Repeat("a", 129), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			logger := NewLogger(slog.NewTextHandler(&log, nil)).With("part", "test")
			handler := identified(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				logger.InfoContext(r.Context(), "hello")
			}))
			request := httptest.NewRequest(http.MethodGet, "/", nil)
			request.Header["X-Request-Id"] = []string{tt.sent}
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, request)

			id := answer.Header().Get("X-Request-Id")
			require.NotEmpty(t, id)
			assert.Equal(t, tt.kept, id == tt.sent)
			assert.Contains(t, log.String(), id)
			assert.Equal(t, 1, strings.Count(log.String(), "\n"))
		})
	}
}

func TestRequestsAreLoggedByStatus(t *testing.T) {
	for status, level := range map[int]string{200: "level=DEBUG", 404: "level=DEBUG", 500: "level=ERROR", 503: "level=ERROR"} {
		var log bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		handler := logged(logger, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/p?key=secret", nil))
		assert.Contains(t, log.String(), level)
		assert.Contains(t, log.String(), "path=/p ")
		assert.NotContains(t, log.String(), "secret", "what is asked is nobody's business")
	}
}

func TestProblemTellsWhatAndWhatToDo(t *testing.T) {
	cause := errors.New("why")
	problem := &Problem{What: "what", Do: "Do this.", Cause: cause}
	assert.EqualError(t, problem, "what: why\nDo this.")
	assert.ErrorIs(t, problem, cause)
	assert.EqualError(t, &Problem{What: "what", Do: "Do this."}, "what\nDo this.")
}
