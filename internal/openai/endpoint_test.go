package openai_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/openai"
)

// An endpoint that does not answer is left alone, and asked again by one call after a while; who gives up, or asks
// wrongly, says nothing of it.
func TestASilentEndpointIsLeftAlone(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	var answer atomic.Pointer[http.HandlerFunc]
	set := func(handle http.HandlerFunc) { answer.Store(&handle) }
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		_, _ = io.Copy(io.Discard, r.Body) // only then is a client that leaves noticed
		(*answer.Load())(w, r)
	}))
	t.Cleanup(server.Close)
	var told []bool
	writer, err := openai.NewWriter(openai.Options{
		URL: server.URL, Model: "m", Rest: 50 * time.Millisecond, OnAway: func(away bool) { told = append(told, away) },
	})
	require.NoError(t, err)
	post := func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		defer cancel()
		_, err := writer.Write(ctx, "x", "y")
		return err
	}
	silent := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

	set(silent)
	for range 5 {
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, post(gone), context.Canceled)
	}
	set(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	for range 5 {
		require.ErrorContains(t, post(t.Context()), "401")
	}
	set(silent)
	for range 3 {
		require.ErrorIs(t, post(t.Context()), context.DeadlineExceeded)
	}
	before := asked.Load()
	require.ErrorIs(t, post(t.Context()), openai.ErrAway)
	assert.Equal(t, before, asked.Load())
	assert.Equal(t, []bool{true}, told)

	set(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"choices":[{"message":{"content":"z"}}]}`))
	})
	require.Eventually(t, func() bool { return post(t.Context()) == nil }, time.Minute, 10*time.Millisecond)
	assert.Equal(t, []bool{true, false}, told)
}
