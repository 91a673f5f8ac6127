package gqlhttp_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
)

// counting is a context that never ends, and counts who waits for its end.
type counting struct {
	context.Context
	done           chan struct{}
	began, waiting atomic.Int32
}

// Done makes it a context of its own, not one that is known to be its parent.
func (c *counting) Done() <-chan struct{} { return c.done }

func (c *counting) AfterFunc(func()) (stop func() bool) {
	c.began.Add(1)
	c.waiting.Add(1)
	return func() bool {
		c.waiting.Add(-1)
		return true
	}
}

// gone is the answer of a client that is gone.
type gone struct{ *httptest.ResponseRecorder }

func (gone) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// What a subscription holds goes with its client, not only when the server closes.
func TestNothingStaysOfASubscriberThatIsGone(t *testing.T) {
	closing := &counting{Context: context.Background(), done: make(chan struct{})}
	handler := serve(t, gqlhttp.Options{Closing: closing})
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(query(`subscription { episodeRecorded { cursor } }`, nil)))
	r.Header.Set("Content-Type", plainJSON)
	r.Header.Set("Accept", "text/event-stream")
	handler.ServeHTTP(gone{httptest.NewRecorder()}, r)
	require.Positive(t, closing.began.Load())
	require.Eventually(t, func() bool { return closing.waiting.Load() == 0 }, time.Minute, time.Millisecond)
}
