package app

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
)

// run starts an app on a free port with a store of its own.
func run(t *testing.T, change func(*Config)) *App {
	t.Helper()
	config := DefaultConfig()
	config.Data, config.Listen = t.TempDir(), "127.0.0.1:0"
	if change != nil {
		change(&config)
	}
	a, err := Start(t.Context(), config, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, a.Close(context.Background())) })
	return a
}

type call struct {
	method, path, body, host string
	header                   http.Header
}

func (c call) do(t *testing.T, a *App) (status int, body string) {
	t.Helper()
	status, _, body = c.answer(t, a)
	return status, body
}

func (c call) answer(t *testing.T, a *App) (status int, header http.Header, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), c.method, a.URL()+c.path, strings.NewReader(c.body))
	require.NoError(t, err)
	if c.header != nil {
		request.Header = c.header.Clone()
	}
	if c.body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Host = c.host
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	assert.NotEmpty(t, answer.Header.Get("X-Request-Id"))
	return answer.StatusCode, answer.Header, string(text)
}

const (
	hello = `{"query": "{ agents { totalCount } }"}`
	spans = `{"resourceSpans": []}`
	tools = `{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}`
)

func TestRoutes(t *testing.T) {
	open := run(t, nil)
	locked := run(t, func(c *Config) { c.APIKey = "s3cret" })
	withKey := http.Header{"Authorization": {"Bearer s3cret"}}
	agent := http.Header{"Accept": {"application/json, text/event-stream"}}
	agentWithKey := http.Header{"Accept": {"application/json, text/event-stream"}, "X-Api-Key": {"s3cret"}}
	tests := map[string]struct {
		app    *App
		call   call
		status int
		says   string
	}{
		"query":                 {open, call{method: "POST", path: "/graphql", body: hello}, 200, `"totalCount":0`},
		"landing page":          {open, call{method: "GET", path: "/"}, 200, "<html"},
		"playground":            {open, call{method: "GET", path: "/playground"}, 200, "<html"},
		"alive":                 {open, call{method: "GET", path: "/healthz"}, 200, "ok"},
		"ready":                 {open, call{method: "GET", path: "/readyz"}, 200, "ready"},
		"nothing there":         {open, call{method: "GET", path: "/nothing"}, 404, ""},
		"query by another name": {open, call{method: "POST", path: "/graphql", body: hello, host: "evil.example"}, 403, "FORBIDDEN"},
		"page by another name":  {open, call{method: "GET", path: "/", host: "evil.example"}, 403, "FORBIDDEN"},
		"probe by another name": {open, call{method: "GET", path: "/readyz", host: "pod.cluster"}, 200, "ready"},
		"from another site":     {open, call{method: "GET", path: "/graphql?query={__typename}", header: http.Header{"Sec-Fetch-Site": {"cross-site"}}}, 403, "FORBIDDEN"},
		"agent of another site": {open, call{method: "POST", path: "/mcp", body: tools, header: http.Header{"Origin": {"https://evil.example"}}}, 403, "FORBIDDEN"},
		"spans of another site": {locked, call{method: "POST", path: "/v1/traces", body: spans, header: http.Header{"Sec-Fetch-Site": {"cross-site"}}}, 403, "FORBIDDEN"},
		"a link to the page":    {open, call{method: "GET", path: "/playground", header: http.Header{"Sec-Fetch-Site": {"cross-site"}}}, 200, "<html"},
		"query without key":     {locked, call{method: "POST", path: "/graphql", body: hello}, 401, "UNAUTHENTICATED"},
		"GET without key":       {locked, call{method: "GET", path: "/graphql?query={__typename}"}, 401, "UNAUTHENTICATED"},
		"query with key":        {locked, call{method: "POST", path: "/graphql", body: hello, header: withKey}, 200, `"totalCount":0`},
		"with key, by any name": {locked, call{method: "POST", path: "/graphql", body: hello, header: withKey, host: "mneme.example"}, 200, `"totalCount":0`},
		"agent":                 {open, call{method: "POST", path: "/mcp", body: tools, header: agent}, 200, `"recall"`},
		"agent by another name": {open, call{method: "POST", path: "/mcp", body: tools, header: agent, host: "evil.example"}, 403, "FORBIDDEN"},
		"agent without key":     {locked, call{method: "POST", path: "/mcp", body: tools, header: agent}, 401, "UNAUTHENTICATED"},
		"agent with key":        {locked, call{method: "POST", path: "/mcp", body: tools, header: agentWithKey, host: "mneme.example"}, 200, `"recall"`},
		"spans":                 {open, call{method: "POST", path: "/v1/traces", body: spans}, 200, "{}"},
		"spans by another name": {open, call{method: "POST", path: "/v1/traces", body: spans, host: "evil.example"}, 403, "FORBIDDEN"},
		"spans without key":     {locked, call{method: "POST", path: "/v1/traces", body: spans}, 401, "UNAUTHENTICATED"},
		"spans, with a slash":   {open, call{method: "POST", path: "/v1/traces/", body: spans}, 200, "{}"},
		"metrics":               {open, call{method: "POST", path: "/v1/metrics", body: `{"resourceMetrics":[]}`}, 200, "{}"},
		"logs":                  {open, call{method: "POST", path: "/v1/logs", body: `{"resourceLogs":[]}`}, 200, "{}"},
		"logs, with a slash":    {open, call{method: "POST", path: "/v1/logs/", body: `{"resourceLogs":[]}`}, 200, "{}"},
		"logs without key":      {locked, call{method: "POST", path: "/v1/logs", body: `{}`}, 401, "UNAUTHENTICATED"},
		"metrics by GET":        {open, call{method: "GET", path: "/v1/metrics"}, 405, "POST"},
		"spans with key":        {locked, call{method: "POST", path: "/v1/traces", body: spans, header: withKey, host: "mneme.example"}, 200, "{}"},
		"page without key":      {locked, call{method: "GET", path: "/playground"}, 200, "<html"},
		"alive without key":     {locked, call{method: "GET", path: "/healthz"}, 200, "ok"},
		"ready without key":     {locked, call{method: "GET", path: "/readyz"}, 200, "ready"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := tt.call.do(t, tt.app)
			require.Equal(t, tt.status, status, body)
			assert.Contains(t, body, tt.says)
		})
	}
}

func TestStartRefuses(t *testing.T) {
	taken := run(t, nil)
	tests := map[string]struct {
		change func(*Config)
		misuse bool
		says   []string
	}{
		"port taken":        {func(c *Config) { c.Listen = taken.listener.Addr().String() }, false, []string{"already", "--listen"}},
		"no such interface": {func(c *Config) { c.Listen, c.APIKey = "203.0.113.7:0", "0123456789abcdef" }, false, []string{"203.0.113.7", "listen at 127.0.0.1"}},
		"beyond loopback":   {func(c *Config) { c.Listen = "0.0.0.0:0" }, true, []string{"MNEME_API_KEY"}},
		"no store":          {func(c *Config) { c.Store = "mysql://h" }, true, []string{"mysql", "neo4j://"}},
		"file as directory": {func(c *Config) { c.Data = "app_test.go" }, false, []string{"app_test.go", "--data"}},
		"below a file":      {func(c *Config) { c.Data = "app_test.go/data" }, false, []string{"app_test.go/data", "--data"}},
		"no Neo4j":          {func(c *Config) { c.Store = "bolt://127.0.0.1:1" }, false, []string{"no Neo4j answers", "--store"}},
		"embedder URL":      {func(c *Config) { c.Embedder.URL, c.Embedder.Model = "localhost", "m" }, true, []string{"MNEME_EMBEDDER_URL"}},
		"no endpoint":       {func(c *Config) { c.Vectors = FromEndpoint }, true, []string{"MNEME_EMBEDDER is endpoint", "MNEME_EMBEDDER_URL"}},
		"endpoint and off":  {func(c *Config) { c.Embedder.URL, c.Vectors = "http://localhost", Off }, true, []string{"MNEME_EMBEDDER is off", "MNEME_EMBEDDER_URL"}},
		"endpoint too many": {func(c *Config) { c.Embedder.URL, c.Vectors = "http://localhost", BuiltIn }, true, []string{"MNEME_EMBEDDER is built-in", "MNEME_EMBEDDER_URL"}},
		"issuer in clear":   {func(c *Config) { c.OIDC.Issuer, c.OIDC.Audience = "http://login.example", "mneme" }, true, []string{"MNEME_OIDC_ISSUER", "https"}},
		"embedder model":    {func(c *Config) { c.Embedder.URL = "http://localhost" }, true, []string{"MNEME_EMBEDDER_MODEL"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			config := DefaultConfig()
			config.Data, config.Listen = t.TempDir(), "127.0.0.1:0"
			tt.change(&config)
			_, err := Start(t.Context(), config, slog.New(slog.DiscardHandler))
			var problem *Problem
			require.Truef(t, errors.As(err, &problem), "%v", err)
			assert.Equal(t, tt.misuse, problem.Misuse)
			assert.NotEmpty(t, problem.Do)
			for _, says := range tt.says {
				assert.ErrorContains(t, err, says)
			}
		})
	}
}

// TestHalfSentBodiesWithoutAKey: who has no key is told at once, and no deadline is lifted for whatever the request
// says that it wants.
func TestHalfSentBodiesWithoutAKey(t *testing.T) {
	a := run(t, func(c *Config) { c.APIKey = "s3cret" })
	for path, want := range map[string]int{"/graphql": 401, "/mcp": 401, "/v1/traces": 401, "/nothing": 404, "/healthz": 404} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", a.listener.Addr().String())
			require.NoError(t, err)
			defer conn.Close()
			require.NoError(t, conn.SetDeadline(time.Now().Add(40*time.Second))) // less than the server waits for a body
			_, err = io.WriteString(conn, "POST "+path+" HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\nhalf")
			require.NoError(t, err)
			answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err)
			defer answer.Body.Close()
			assert.Equal(t, want, answer.StatusCode)
			_, err = io.Copy(io.Discard, conn)
			require.NoError(t, err, "the connection is closed")
		})
	}
}

// TestConnectionsAreBounded: those that wait for a request make room for those that have one.
func TestConnectionsAreBounded(t *testing.T) {
	a := run(t, func(c *Config) { c.Connections.InAll = 3 })
	for range 10 {
		conn, err := net.Dial("tcp", a.listener.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { conn.Close() })
	}
	for range 5 {
		status, body := call{method: "GET", path: "/healthz", header: http.Header{"Connection": {"close"}}}.do(t, a)
		assert.Equal(t, 200, status, body)
	}
}

// underWay sends a request whose body is not finished until the returned pipe is closed, and returns
// when the server reads it.
func underWay(t *testing.T, a *App) (body *io.PipeWriter, answered <-chan int) {
	t.Helper()
	reader, writer := io.Pipe()
	reading := make(chan struct{})
	trace := &httptrace.ClientTrace{Got100Continue: func() { close(reading) }}
	request, err := http.NewRequestWithContext(httptrace.WithClientTrace(t.Context(), trace), http.MethodPost, a.URL()+"/graphql", reader)
	require.NoError(t, err)
	request.Header = http.Header{"Content-Type": {"application/json"}, "Expect": {"100-continue"}}
	status := make(chan int, 1)
	go func() {
		client := http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}}
		answer, err := client.Do(request)
		if err != nil {
			status <- 0
			return
		}
		answer.Body.Close()
		status <- answer.StatusCode
	}()
	<-reading
	return writer, status
}

func TestCloseDrains(t *testing.T) {
	a := run(t, nil)
	body, answered := underWay(t, a)
	closed := make(chan error, 1)
	go func() { closed <- a.Close(context.Background()) }()
	select {
	case err := <-closed:
		t.Fatalf("closed with a request under way: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	_, err := io.WriteString(body, hello)
	require.NoError(t, err)
	require.NoError(t, body.Close())
	assert.Equal(t, 200, <-answered)
	assert.NoError(t, <-closed)
	assert.Empty(t, a.failed, "closing is no failure")
}

func TestCloseAbortsWhatOutlastsIt(t *testing.T) {
	a := run(t, nil)
	body, answered := underWay(t, a)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	assert.NoError(t, a.Close(ctx))
	body.Close()
	assert.NotEqual(t, 200, <-answered)
}

func TestStartOnNeo4j(t *testing.T) {
	server := testneo4j.Reach(t)
	a := run(t, func(c *Config) {
		c.Store, c.Neo4j = server.URL, Neo4jLogin{User: server.User, Password: server.Password}
		c.APIKey = "s3cret" // other tests may make keys there meanwhile, so that the server asks for one
	})
	assert.Contains(t, a.Describe(), "neo4j at "+server.URL)
	status, body := call{method: "GET", path: "/readyz"}.do(t, a)
	assert.Equal(t, 200, status, body)
	status, body = call{method: "POST", path: "/graphql", body: hello, header: http.Header{"X-Api-Key": {"s3cret"}}}.do(t, a)
	assert.Equal(t, 200, status, body)
	assert.Contains(t, body, `"totalCount"`)
}

func TestReadinessFollowsTheStore(t *testing.T) {
	a := run(t, nil)
	require.NoError(t, a.Memory.Close(t.Context()))
	status, body := call{method: "GET", path: "/readyz"}.do(t, a)
	assert.Equal(t, 503, status)
	assert.Contains(t, body, "not ready")
	status, _ = call{method: "GET", path: "/healthz"}.do(t, a)
	assert.Equal(t, 200, status, "the process itself is alive")
}
