package otlp_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/budget"
	"mneme/internal/inbound"
	"mneme/internal/otlp"
	"mneme/service/boundary"
	"mneme/service/traces"
)

// halfSent begins a request with some bytes of its body and never ends it, until the test does.
func halfSent(t *testing.T, url string, sent int) (answer <-chan http.Response) {
	t.Helper()
	body, rest := io.Pipe()
	answers := make(chan http.Response, 1)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, body)
	require.NoError(t, err)
	request.ContentLength = 16 << 20
	request.Header.Set("Content-Type", protobuf)
	go func() {
		defer close(answers)
		if got, err := http.DefaultClient.Do(request); err == nil {
			got.Body.Close()
			answers <- *got
		}
	}()
	t.Cleanup(func() {
		rest.CloseWithError(errors.New("the test is over"))
		<-answers
	})
	_, _ = rest.Write(make([]byte, sent)) // where the server refuses, not all of it is taken
	return answers
}

// guarded is a server with as much memory as usual, for which nobody waits long.
func guarded(t *testing.T, times inbound.Times) *httptest.Server {
	t.Helper()
	handler := otlp.Handler(to(&kept{}), strings.Clone, slog.New(slog.DiscardHandler))
	server := httptest.NewServer(inbound.Guard(budget.New(0, 50*time.Millisecond), times, handler))
	t.Cleanup(server.Close)
	return server
}

func sendSpan(t *testing.T, url string) int {
	t.Helper()
	got, err := http.Post(url, jsonForm, strings.NewReader(oneSpan)) // of the test
	require.NoError(t, err)
	got.Body.Close()
	return got.StatusCode
}

// Who does not send the rest of a body keeps nobody else waiting.
func TestHalfSentBodiesBlockNobody(t *testing.T) {
	server := guarded(t, inbound.DefaultTimes)
	for range 50 {
		halfSent(t, server.URL, 1)
	}
	assert.Equal(t, 200, sendSpan(t, server.URL))
}

// What all bodies that arrive may hold is bounded, and leaves room for small ones.
func TestLargeHalfSentBodiesLeaveRoom(t *testing.T) {
	server := guarded(t, inbound.DefaultTimes)
	ended := make(chan http.Response, 8)
	for range 8 { // an accepted one waits for its rest, without an answer
		answer := halfSent(t, server.URL, 15<<20)
		go func() { ended <- <-answer }()
		assert.Equal(t, 200, sendSpan(t, server.URL))
	}
	select {
	case got := <-ended:
		if got.StatusCode != 0 { // else the connection broke before the answer was read
			assert.Equal(t, 503, got.StatusCode)
			assert.Equal(t, "5", got.Header.Get("Retry-After"))
		}
	case <-time.After(time.Minute):
		t.Error("none of the bodies was refused in a minute")
	}
}

// waiting is a recorder that notes until when it may work.
type waiting struct{ until time.Time }

func (w *waiting) RecordSpans(ctx context.Context, _ []boundary.TraceSpan) (traces.RecordedSpans, error) {
	w.until, _ = ctx.Deadline()
	return traces.RecordedSpans{}, nil
}

func TestRequestsHaveAnEnd(t *testing.T) {
	recorder, answer := &waiting{}, httptest.NewRecorder()
	handler := otlp.Handler(to(recorder), strings.Clone, slog.New(slog.DiscardHandler))
	request := func(body io.Reader) *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/v1/traces", body)
		r.Header.Set("Content-Type", jsonForm)
		return r
	}
	handler.ServeHTTP(answer, request(strings.NewReader(oneSpan)))
	assert.Equal(t, 200, answer.Code)
	assert.False(t, recorder.until.IsZero())

	slow := httptest.NewRecorder()
	handler.ServeHTTP(slow, request(io.MultiReader(strings.NewReader(oneSpan[:20]), broken{inbound.ErrSlow})))
	assert.Equal(t, 503, slow.Code, "to be sent again")
	gone := httptest.NewRecorder()
	handler.ServeHTTP(gone, request(io.MultiReader(strings.NewReader(oneSpan), broken{io.ErrUnexpectedEOF})))
	assert.Equal(t, 400, gone.Code, "what broke off is not taken for whole")
}

// A server bounds all bodies before it hands them on; what it gives up for now is to be sent again.
func TestBodiesThatAServerGivesUpAreToBeSentAgain(t *testing.T) {
	server := guarded(t, inbound.Times{Pause: 200 * time.Millisecond, Body: time.Minute, Rest: time.Second})
	large := make([]<-chan http.Response, 4)
	for i := range large {
		large[i] = halfSent(t, server.URL, 1<<20)
	}
	for name, answers := range map[string][]<-chan http.Response{
		"slow": {halfSent(t, server.URL, 1)}, "large ones at once, and slow": large,
	} {
		for _, answer := range answers {
			got := <-answer
			assert.Equal(t, 503, got.StatusCode, name)
			assert.Equal(t, "5", got.Header.Get("Retry-After"), name)
		}
	}
}

type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// A body of every size comes back whole: all of its bytes are read, in pieces.
func TestBodiesOfAllSizes(t *testing.T) {
	for _, size := range []int{0, 1, 4 << 10, 4<<10 + 1, 12 << 10, 1 << 20, 16<<20 - len(oneSpan)} {
		k := &kept{}
		body := append([]byte(oneSpan), bytes.Repeat([]byte{' '}, size)...)
		assert.Equal(t, 200, post(t, k, body, http.Header{"Content-Type": {jsonForm}}).Code, size)
		assert.Len(t, k.spans, 1)
		assert.Equal(t, 200, post(t, k, packed(t, body), http.Header{"Content-Type": {jsonForm}, "Content-Encoding": {"gzip"}}).Code, size)
	}
}

// Too many spans are refused whole, since they would be sent again together.
func TestTooManySpans(t *testing.T) {
	spans := strings.TrimSuffix(strings.Repeat(`{},`, 40_000), ",")
	answer := post(t, &kept{}, []byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[`+spans+`]}]}]}`), http.Header{"Content-Type": {jsonForm}})
	assert.Equal(t, 413, answer.Code)
	assert.Contains(t, answer.Body.String(), "send fewer spans at a time")
}

// batches counts what it is given at a time.
type batches struct{ sizes []int }

func (b *batches) RecordSpans(_ context.Context, spans []boundary.TraceSpan) (traces.RecordedSpans, error) {
	b.sizes = append(b.sizes, len(spans))
	return traces.RecordedSpans{Accepted: len(spans) - 1, Rejected: 1}, nil
}

// Many spans are written in parts, between which others write.
func TestManySpansAreKeptInParts(t *testing.T) {
	_, rest, _ := strings.Cut(oneSpan, `"spans":[`)
	span := strings.TrimSuffix(rest, `]}]}]}`)
	b := &batches{}
	answer := post(t, b, []byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[`+strings.Repeat(span+",", 1029)+span+`]}]}]}`), http.Header{"Content-Type": {jsonForm}})
	assert.Equal(t, 200, answer.Code)
	assert.Equal(t, []int{512, 512, 6}, b.sizes)
	assert.Regexp(t, `"rejectedSpans": ?"3"`, answer.Body.String())
}
