package gqlhttp_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
	"mneme/service"
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

// An event takes what is selected of its record.
func TestEventsReadWhatIsSelected(t *testing.T) {
	t.Parallel()
	spent := make(chan service.Limits, 100)
	handler := serve(t, gqlhttp.Options{Spent: func(l service.Limits) { spent <- l }})
	recorded := send(handler, request{contentType: plainJSON, body: query(
		`mutation ($t: [String!]) { recordEpisode(input: {agentId: "a", observation: "It rains", thoughts: $t}) { episode { id } } }`,
		map[string]any{"t": slices.Repeat([]string{strings.Repeat("rain ", 200_000)}, 5)})})
	require.NotContains(t, recorded.Body.String(), "errors")
	<-spent
	for selected, most := range map[string]int64{"id title agent { id }": 1000, "thoughts": 6 << 20} {
		events := httptest.NewServer(handler)
		t.Cleanup(events.Close)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, events.URL,
			strings.NewReader(query(`subscription { episodeRecorded(after: "bGl2ZTow") { episode { id `+selected+` } } }`, nil)))
		require.NoError(t, err)
		r.Header = http.Header{"Content-Type": {plainJSON}, "Accept": {"text/event-stream"}}
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		t.Cleanup(func() { _ = answer.Body.Close() })
		took := <-spent
		require.Positive(t, took.ReadBytes)
		require.LessOrEqual(t, took.ReadBytes, most, selected)
	}
}
