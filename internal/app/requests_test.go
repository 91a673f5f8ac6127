package app

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/telemetry"

	"mneme/internal/budget"
	"mneme/internal/inbound"
)

// withoutSecret stands for the rules of what a secret looks like.
func withoutSecret(text string) string { return strings.ReplaceAll(text, "s3cret", "[redacted]") }

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
		"a secret":     {"key-s3cret", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			logger := NewLogger(slog.NewTextHandler(&log, nil)).With("part", "test")
			handler := withRequestID(withoutSecret, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
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
			assert.NotContains(t, log.String(), "s3cret")
			assert.Equal(t, 1, strings.Count(log.String(), "\n"))
		})
	}
}

// A probe that waits for the store makes no room for other connections.
func TestProbesAreNotCutOff(t *testing.T) {
	asked, free := make(chan struct{}), make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", answerOK)
	mux.Handle("/readyz", &readiness{check: func(context.Context) error {
		close(asked)
		<-free
		return nil
	}})
	server := httptest.NewUnstartedServer(inbound.Guard(budget.New(0, 0), inbound.DefaultTimes, mux))
	bounded := inbound.Bound(server.Listener, inbound.Most{InAll: 2, PerClient: 2}, nil, nil)
	server.Listener, server.Config.ConnState, server.Config.ConnContext = bounded, bounded.Follow, bounded.Name
	server.Start()
	defer server.Close()
	dial := func(path string) net.Conn {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { conn.Close() })
		if path != "" {
			_, err = io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
			require.NoError(t, err)
		}
		return conn
	}
	probe := dial("/readyz")
	<-asked
	dial("") // which can make room
	answer, err := io.ReadAll(dial("/healthz"))
	require.NoError(t, err)
	assert.Contains(t, string(answer), "200 OK")
	close(free)
	answer, err = io.ReadAll(probe)
	require.NoError(t, err)
	assert.Contains(t, string(answer), "ready")
}

func TestRequestsAreLoggedByStatus(t *testing.T) {
	for status, level := range map[int]string{200: "level=DEBUG", 404: "level=DEBUG", 500: "level=ERROR", 503: "level=ERROR"} {
		var log bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		handler := logged(logger, withoutSecret, unmeasured, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/p?key=secret", nil))
		assert.Contains(t, log.String(), level)
		assert.Contains(t, log.String(), "path=/p ")
		assert.NotContains(t, log.String(), "secret", "what is asked is nobody's business")
	}
}

// TestPathsAreLoggedPlainly: anyone can send any path.
func TestPathsAreLoggedPlainly(t *testing.T) {
	for path, want := range map[string]string{
		"/graphql": "path=/graphql ", "/a\nlevel=ERROR b\x1b[31m": `path="/a\nlevel=ERROR b\x1b[31m" `, "/é": "path=/é ", "/key/s3cret": "path=/key/[redacted] ",
		"/" + strings.Repeat("a", 1<<16): "path=/" + strings.Repeat("a", 124) + "… ",
	} {
		var log bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		request := httptest.NewRequest(http.MethodGet, "/", nil)
		request.URL.Path = path
		logged(logger, withoutSecret, unmeasured, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(httptest.NewRecorder(), request)
		assert.Contains(t, log.String(), want)
		assert.Less(t, log.Len(), 400)
	}
}

func TestProblemTellsWhatAndWhatToDo(t *testing.T) {
	cause := errors.New("why")
	problem := &Problem{What: "what", Do: "Do this.", Cause: cause}
	assert.EqualError(t, problem, "what: why\nDo this.")
	assert.ErrorIs(t, problem, cause)
	assert.EqualError(t, &Problem{What: "what", Do: "Do this."}, "what\nDo this.")
}

func unmeasured(r *http.Request) (*http.Request, *telemetry.Request) {
	return telemetry.Silent().Request(r, "/", false)
}
