package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/openai"
)

// endpoint speaks the protocol: a text's vector is [its length, 1, 0, …]. Fail, where set, may answer
// the n-th request (from 1) itself.
type endpoint struct {
	fail     func(n int, w http.ResponseWriter) bool
	requests atomic.Int32
	busy     atomic.Int32
	maxBusy  atomic.Int32
	mu       sync.Mutex
	bodies   []request
	headers  []http.Header
	paths    []string
}

type request struct {
	Model      string
	Input      []string
	Dimensions int
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	busy := e.busy.Add(1)
	defer e.busy.Add(-1)
	for most := e.maxBusy.Load(); busy > most && !e.maxBusy.CompareAndSwap(most, busy); most = e.maxBusy.Load() {
	}
	body, _ := io.ReadAll(r.Body)
	var asked request
	_ = json.Unmarshal(body, &asked)
	e.mu.Lock()
	e.bodies, e.headers, e.paths = append(e.bodies, asked), append(e.headers, r.Header), append(e.paths, r.URL.Path)
	e.mu.Unlock()
	if n := int(e.requests.Add(1)); e.fail != nil && e.fail(n, w) {
		return
	}
	type item struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	items := make([]item, 0, len(asked.Input))
	for i := len(asked.Input) - 1; i >= 0; i-- { // the order is free, the index counts
		vector := make([]float32, max(asked.Dimensions, 3))
		vector[0], vector[1] = float32(len(asked.Input[i])), 1
		items = append(items, item{"embedding", i, vector})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": asked.Model, "data": items})
}

func status(codes ...int) func(int, http.ResponseWriter) bool {
	return func(n int, w http.ResponseWriter) bool {
		if n > len(codes) {
			return false
		}
		w.WriteHeader(codes[n-1])
		return true
	}
}

func start(t *testing.T, e *endpoint, options openai.Options) *openai.Embedder {
	t.Helper()
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	options.URL = server.URL + options.URL
	options.Backoff = time.Millisecond
	if options.Model == "" {
		options.Model = "small"
	}
	client, err := openai.NewEmbedder(options)
	require.NoError(t, err)
	return client
}

func TestEmbedSpeaksTheProtocol(t *testing.T) {
	t.Parallel()
	e := &endpoint{}
	client := start(t, e, openai.Options{URL: "/v1/", Model: "text-3", Key: "sk-1", Dimensions: 4})
	vectors, err := client.Embed(t.Context(), []string{"a", "bbb", "cc"})
	require.NoError(t, err)
	assert.Equal(t, [][]float32{{1, 1, 0, 0}, {3, 1, 0, 0}, {2, 1, 0, 0}}, vectors)
	assert.Equal(t, request{Model: "text-3", Input: []string{"a", "bbb", "cc"}, Dimensions: 4}, e.bodies[0])
	assert.Equal(t, "/v1/embeddings", e.paths[0])
	assert.Equal(t, "Bearer sk-1", e.headers[0].Get("Authorization"))
}

func TestEmbedTakesTheWholeAddressAndNoKey(t *testing.T) {
	t.Parallel()
	e := &endpoint{}
	client := start(t, e, openai.Options{URL: "/api/embeddings"})
	_, err := client.Embed(t.Context(), []string{"a"})
	require.NoError(t, err)
	assert.Equal(t, "/api/embeddings", e.paths[0])
	assert.Empty(t, e.headers[0].Get("Authorization"))
}

func TestEmbedBatchesAndBoundsConcurrency(t *testing.T) {
	t.Parallel()
	e := &endpoint{fail: func(int, http.ResponseWriter) bool { time.Sleep(5 * time.Millisecond); return false }}
	client := start(t, e, openai.Options{})
	texts := make([]string, 1000)
	for i := range texts {
		texts[i] = strings.Repeat("x", i+1)
	}
	var callers sync.WaitGroup
	for range 3 {
		callers.Go(func() {
			vectors, err := client.Embed(t.Context(), texts)
			if assert.NoError(t, err) {
				for i, vector := range vectors {
					assert.Equal(t, float32(i+1), vector[0], "each vector stands at its text's place")
				}
			}
		})
	}
	callers.Wait()
	assert.EqualValues(t, 3*16, e.requests.Load(), "1,000 texts are 16 requests of at most 64")
	assert.LessOrEqual(t, e.maxBusy.Load(), int32(4))
}

func TestEmbedNoTexts(t *testing.T) {
	t.Parallel()
	e := &endpoint{}
	vectors, err := start(t, e, openai.Options{}).Embed(t.Context(), nil)
	require.NoError(t, err)
	assert.Empty(t, vectors)
	assert.Zero(t, e.requests.Load())
}

func TestEmbedCutsLongTextsBetweenCharacters(t *testing.T) {
	t.Parallel()
	e := &endpoint{}
	_, err := start(t, e, openai.Options{}).Embed(t.Context(), []string{"x" + strings.Repeat("é", 20_000)})
	require.NoError(t, err)
	sent := e.bodies[0].Input[0]
	assert.Equal(t, "x"+strings.Repeat("é", 11_999), sent)
}

func TestEmbedTriesAgain(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		fail     func(int, http.ResponseWriter) bool
		requests int
		fault    string // empty: it succeeds in the end
	}{
		"busy, then fine":         {status(429), 2, ""},
		"failing twice":           {status(500, 503), 3, ""},
		"failing for good":        {status(502, 502, 502, 502), 3, "502 Bad Gateway"},
		"refused":                 {status(400), 1, "400 Bad Request"},
		"wrong key":               {status(401), 1, "401 Unauthorized"},
		"redirected":              {status(307), 1, "307 Temporary Redirect"},
		"connection cut":          {func(n int, _ http.ResponseWriter) bool { return cut(n == 1) }, 2, ""},
		"asks to wait too long":   {busyFor("3600"), 1, "429 Too Many Requests"},
		"asks to wait not at all": {busyFor("0"), 2, ""},
		"waits by date":           {busyFor(time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)), 2, ""},
		"answer breaks off":       {answers(`{"data":[{"index":0,"embed`), 2, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := &endpoint{fail: tt.fail}
			_, err := start(t, e, openai.Options{}).Embed(t.Context(), []string{"a"})
			if tt.fault == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tt.fault)
			}
			assert.EqualValues(t, tt.requests, e.requests.Load())
		})
	}
}

func cut(now bool) bool {
	if now {
		panic(http.ErrAbortHandler)
	}
	return false
}

// busyFor answers the first request with 429 and a Retry-After.
func busyFor(after string) func(int, http.ResponseWriter) bool {
	return func(n int, w http.ResponseWriter) bool {
		w.Header().Set("Retry-After", after)
		return status(429)(n, w)
	}
}

// answers sends a body in place of the first answer.
func answers(body string) func(int, http.ResponseWriter) bool {
	return func(n int, w http.ResponseWriter) bool {
		if n == 1 {
			fmt.Fprint(w, body)
		}
		return n == 1
	}
}

func TestEmbedRefusesWrongAnswers(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ body, fault string }{
		"not JSON":           {`<html>`, "not what the protocol says"},
		"too few":            {`{"data":[]}`, "0 vectors for 2 texts"},
		"index twice":        {`{"data":[{"index":0,"embedding":[1,2]},{"index":0,"embedding":[1,2]}]}`, "index 0"},
		"index out of range": {`{"data":[{"index":0,"embedding":[1,2]},{"index":7,"embedding":[1,2]}]}`, "index 7"},
		"wrong length":       {`{"data":[{"index":0,"embedding":[1,2,3]},{"index":1,"embedding":[1,2]}]}`, "length 3 instead of 2"},
		"empty vector":       {`{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[1,2]}]}`, "length 0"},
		"number too large":   {`{"data":[{"index":0,"embedding":[1e99,2]},{"index":1,"embedding":[1,2]}]}`, "not what the protocol says"},
		"endless":            {`{"data":[{"index":0,"embedding":[` + strings.Repeat("0.123456789,", 60_000), "too large"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := &endpoint{fail: answers(tt.body)}
			_, err := start(t, e, openai.Options{Dimensions: 2}).Embed(t.Context(), []string{"a", "b"})
			require.ErrorContains(t, err, tt.fault)
			assert.EqualValues(t, 1, e.requests.Load(), "what is wrong once is wrong again")
		})
	}
}

func TestEmbedErrorsHoldNoSecrets(t *testing.T) {
	t.Parallel()
	e := &endpoint{fail: func(_ int, w http.ResponseWriter) bool {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error":{"message":"Incorrect key sk-secret for: my private text","code":"invalid_api_key"}}`)
		return true
	}}
	client := start(t, e, openai.Options{URL: "/v1?token=sk-secret", Key: "sk-secret"})
	_, err := client.Embed(t.Context(), []string{"my private text"})
	require.ErrorContains(t, err, "401 Unauthorized (invalid_api_key)")
	assert.NotContains(t, err.Error(), "sk-secret")
	assert.NotContains(t, err.Error(), "private text")

	gone := httptest.NewServer(nil)
	gone.Close()
	client, err = openai.NewEmbedder(openai.Options{URL: gone.URL + "?token=sk-secret", Model: "m", Backoff: time.Millisecond})
	require.NoError(t, err)
	_, err = client.Embed(t.Context(), []string{"my private text"})
	require.ErrorContains(t, err, "cannot be reached")
	assert.NotContains(t, err.Error(), "sk-secret")
}

func TestEmbedEndsWithItsContext(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	e := &endpoint{fail: func(int, http.ResponseWriter) bool { <-release; return true }}
	client := start(t, e, openai.Options{})
	t.Cleanup(func() { close(release) }) // before the server closes, which waits for the handler
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := client.Embed(ctx, []string{"a"})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.EqualValues(t, 1, e.requests.Load())
}

func TestNewRefusesBadOptions(t *testing.T) {
	t.Parallel()
	tests := map[string]openai.Options{
		"no address":        {Model: "m"},
		"no scheme":         {URL: "localhost:11434/v1", Model: "m"},
		"another scheme":    {URL: "ftp://host/v1", Model: "m"},
		"no model":          {URL: "http://host/v1"},
		"negative length":   {URL: "http://host/v1", Model: "m", Dimensions: -1},
		"unreadable escape": {URL: "http://host/%zz", Model: "m", Dimensions: math.MaxInt},
	}
	for name, options := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := openai.NewEmbedder(options)
			require.Error(t, err)
		})
	}
}
