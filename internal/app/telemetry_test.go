package app

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	io_prometheus_client "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	collectormetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collectortrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	"mneme/internal/testneo4j"
	"mneme/memory/access"
	"mneme/service/keyring"
)

// collector is a receiver of OTLP that keeps what comes.
type collector struct {
	*httptest.Server
	mu      sync.Mutex
	spans   []*tracepb.Span
	metrics []*collectormetrics.ExportMetricsServiceRequest
	all     strings.Builder
}

func newCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := io.Reader(r.Body)
		if r.Header.Get("Content-Encoding") == "gzip" {
			unpacked, err := gzip.NewReader(body)
			if !assert.NoError(t, err) {
				return
			}
			body = unpacked
		}
		text, err := io.ReadAll(body)
		assert.NoError(t, err)
		c.mu.Lock()
		defer c.mu.Unlock()
		switch r.URL.Path {
		case "/v1/traces":
			sent := new(collectortrace.ExportTraceServiceRequest)
			assert.NoError(t, proto.Unmarshal(text, sent))
			c.all.WriteString(prototext.Format(sent))
			for _, of := range sent.GetResourceSpans() {
				for _, in := range of.GetScopeSpans() {
					c.spans = append(c.spans, in.GetSpans()...)
				}
			}
		case "/v1/metrics":
			sent := new(collectormetrics.ExportMetricsServiceRequest)
			assert.NoError(t, proto.Unmarshal(text, sent))
			c.all.WriteString(prototext.Format(sent))
			c.metrics = append(c.metrics, sent)
		default:
			t.Errorf("something was sent to %s", r.URL.Path)
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// named are the spans of a name.
func (c *collector) named(name string) (found []*tracepb.Span) {
	for _, span := range c.spans {
		if span.GetName() == name {
			found = append(found, span)
		}
	}
	return found
}

// metricNames are those of the metrics that came.
func (c *collector) metricNames() map[string]bool {
	names := map[string]bool{}
	for _, sent := range c.metrics {
		for _, of := range sent.GetResourceMetrics() {
			for _, in := range of.GetScopeMetrics() {
				for _, metric := range in.GetMetrics() {
					names[metric.GetName()] = true
				}
			}
		}
	}
	return names
}

// sentOut has signals sent to a collector.
func sentOut(t *testing.T, c *collector) func(*Config) {
	t.Helper()
	env := map[string]string{
		"OTEL_TRACES_EXPORTER": "otlp", "OTEL_METRICS_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT": c.URL, "OTEL_SERVICE_NAME": "shop-memory",
		"OTEL_METRIC_EXPORT_INTERVAL": "3600000", "OTEL_BSP_SCHEDULE_DELAY": "3600000", // at the end only
	}
	for name, value := range env {
		t.Setenv(name, value)
	}
	return func(config *Config) { require.NoError(t, config.SetSignals(lookup(env))) }
}

// serving is an app that the test closes, with a log that it reads.
func serving(t *testing.T, change func(*Config)) (a *App, log *heardLog) {
	t.Helper()
	config := DefaultConfig()
	config.Data, config.Listen, config.LogFormat = t.TempDir(), "127.0.0.1:0", JSON
	change(&config)
	log = &heardLog{}
	a, err := Start(t.Context(), config, NewLogger(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	require.NoError(t, err)
	return a, log
}

// metricsOf reads the metrics as Prometheus does.
func metricsOf(t *testing.T, a *App, header http.Header) (families map[string]*io_prometheus_client.MetricFamily, text string) {
	t.Helper()
	status, text := call{method: "GET", path: "/metrics", header: header}.do(t, a)
	require.Equal(t, 200, status, text)
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	require.NoError(t, err)
	return families, text
}

// counted is how often something was measured with labels that hold all of the given.
func counted(families map[string]*io_prometheus_client.MetricFamily, name string, labels map[string]string) (sum float64) {
	for _, metric := range families[name].GetMetric() {
		left := len(labels)
		for _, label := range metric.GetLabel() {
			if labels[label.GetName()] == label.GetValue() {
				left--
			}
		}
		if left == 0 {
			sum += float64(metric.GetHistogram().GetSampleCount()) + metric.GetCounter().GetValue() + metric.GetGauge().GetValue()
		}
	}
	return sum
}

const agentHeader = "application/json, text/event-stream"

func mcpCall(name, arguments string) call {
	body := fmt.Sprintf(`{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": %q, "arguments": %s}}`, name, arguments)
	return call{method: "POST", path: "/mcp", body: body, header: http.Header{"Accept": {agentHeader}}}
}

func graphQLCall(t *testing.T, query, name string) call {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query, "operationName": name})
	require.NoError(t, err)
	return call{method: "POST", path: "/graphql", body: string(body)}
}

func onBothStores(t *testing.T, test func(t *testing.T, kind string, on func(*Config))) {
	t.Run("sqlite", func(t *testing.T) { test(t, "sqlite", func(*Config) {}) })
	t.Run("neo4j", func(t *testing.T) {
		server := testneo4j.Reach(t)
		test(t, "neo4j", func(c *Config) {
			c.Store, c.Neo4j.User, c.Neo4j.Password, c.APIKey = server.URL, server.User, server.Password, "the key of a test, long enough"
		})
	})
}

// Metrics are read by Prometheus and sent out by OTLP, with the traces of requests, on both stores.
func TestSignalsOnBothStores(t *testing.T) {
	onBothStores(t, func(t *testing.T, kind string, on func(*Config)) {
		c := newCollector(t)
		out := sentOut(t, c)
		a, log := serving(t, func(config *Config) { on(config); out(config) })
		key := http.Header{"Authorization": {"Bearer " + a.config.APIKey}, "Accept": {agentHeader}, "Traceparent": {"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}
		send := func(c call) string {
			t.Helper()
			c.header = key
			status, answer := c.do(t, a)
			require.Equal(t, 200, status, answer)
			return answer
		}
		send(graphQLCall(t, `query Late { recall(input: {situation: "a refund that came late"}) { hits { rank } } }`, "Late"))
		send(graphQLCall(t, `query Late { recall(input: {situation: "a refund that came late", topK: -1}) { hits { rank } } }`, "Late"))
		send(mcpCall("recall", `{"situation": "a refund"}`))
		send(mcpCall("recall", `{"situation": 5}`))
		send(graphQLCall(t, `mutation { submitFeedback(input: {sessionId: "signals", type: THUMBS_UP}) { feedback { id } } }`, ""))

		families, _ := metricsOf(t, a, key)
		operations := "mneme_operation_duration_seconds"
		for _, want := range []map[string]string{
			{"mneme_door": "graphql", "mneme_operation_type": "query", "mneme_operation_name": "recall", "mneme_outcome": "ok"},
			{"mneme_door": "graphql", "mneme_operation_type": "query", "mneme_operation_name": "recall", "mneme_outcome": "INVALID_INPUT"},
			{"mneme_door": "mcp", "mneme_operation_type": "tool", "mneme_operation_name": "recall", "mneme_outcome": "ok"},
			{"mneme_door": "mcp", "mneme_operation_type": "tool", "mneme_operation_name": "recall", "mneme_outcome": "INVALID_INPUT"},
			{"mneme_door": "graphql", "mneme_operation_type": "mutation", "mneme_operation_name": "submitFeedback", "mneme_outcome": "ok"},
		} {
			assert.InDelta(t, 1, counted(families, operations, want), 0, want)
		}
		assert.InDelta(t, 3, counted(families, "http_server_request_duration_seconds", map[string]string{"http_route": "/graphql", "http_response_status_code": "200"}), 0)
		assert.Positive(t, counted(families, "db_client_operation_duration_seconds", map[string]string{"db_system_name": kind, "db_operation_name": "commit"}))
		assert.Positive(t, counted(families, "db_client_connection_max", map[string]string{"db_system_name": kind}))

		require.NoError(t, a.Close(context.Background()))
		roots := c.named("POST /graphql")
		require.Len(t, roots, 3)
		names := c.metricNames()
		for _, name := range []string{"mneme.operation.duration", "db.client.operation.duration", "http.server.request.duration", "go.goroutine.count"} {
			assert.True(t, names[name], "%s was sent out", name)
		}
		holds(t, c.all.String(), `"shop-memory"`, true)
		for _, root := range roots {
			assert.Equal(t, "b7ad6b7169203331", fmt.Sprintf("%x", root.GetParentSpanId()), "it is a part of the caller's")
		}
		queries := c.named("query")
		require.Len(t, queries, 2)
		for _, query := range queries {
			assert.Contains(t, query.String(), "graphql.operation.name")
			assert.Contains(t, query.String(), "Late")
		}
		requireChildren(t, c, queries[0])
		holds(t, log.String(), `"trace_id":"0af7651916cd43dd8448eb211c80319c"`, true)
		requireJSON(t, log.String())
	})
}

// requireChildren sees that round trips to the store belong to an operation.
func requireChildren(t *testing.T, c *collector, of *tracepb.Span) {
	t.Helper()
	children := 0
	for _, span := range c.spans {
		if bytes.Equal(span.GetParentSpanId(), of.GetSpanId()) {
			assert.Equal(t, tracepb.Span_SPAN_KIND_CLIENT, span.GetKind())
			assert.Contains(t, span.String(), "db.operation.name")
			children++
		}
	}
	require.Positive(t, children)
}

// holds says whether a long text must hold another, without repeating it.
func holds(t *testing.T, text, part string, must bool) {
	t.Helper()
	if at := strings.Index(text, part); at >= 0 != must {
		t.Errorf("%q is at %d: …%s…", part, at, text[max(0, at-300):max(0, min(len(text), at+300))])
	}
}

func requireJSON(t *testing.T, log string) {
	t.Helper()
	lines := 0
	for line := range strings.Lines(log) {
		var parsed map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &parsed), line)
		require.Contains(t, parsed, "msg")
		lines++
	}
	require.Positive(t, lines)
}

// Whatever clients send, labels stay of closed sets, and nothing that was sent is in any signal.
func TestSignalsHoldNoTextAndStayFew(t *testing.T) {
	onBothStores(t, func(t *testing.T, _ string, on func(*Config)) {
		c := newCollector(t)
		out := sentOut(t, c)
		const key = "the key of a test, long enough"
		models := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error": {"code": "sentinel"}}`, http.StatusBadGateway)
		}))
		t.Cleanup(models.Close)
		a, log := serving(t, func(config *Config) {
			on(config)
			out(config)
			config.APIKey = key
			config.Embedder.URL, config.Embedder.Model, config.Embedder.Key, config.Embedder.Backoff = models.URL, "m", "sentinel-embedder-key", time.Millisecond
		})
		header := http.Header{"Authorization": {"Bearer " + key}, "Accept": {agentHeader}, "Tracestate": {"a=sentinel"}, "Baggage": {"a=sentinel"}}
		hostile := func(i int) []call {
			word := fmt.Sprintf("sentinel%d", i)
			return []call{
				graphQLCall(t, `query `+word+`x { `+word+`: recall(input: {situation: "`+word+` text"}) { hits { rank } } }`, ""),
				graphQLCall(t, `{ `+word+` }`, ""),
				graphQLCall(t, `query { a: agents { totalCount } b: episodes { totalCount } }`, word),
				graphQLCall(t, `{ node(id: "episode:`+word+`") { id } }`, ""),
				mcpCall(word, `{"`+word+`": 1}`),
				mcpCall("recall", `{"situation": "`+word+` text"}`),
				{method: "POST", path: "/mcp", body: `{"jsonrpc": "2.0", "id": 1, "method": "` + word + `"}`},
				{method: word, path: "/" + word + "/" + word},
				{method: "GET", path: "/graphql/" + word},
				{method: "POST", path: "/v1/traces", body: `{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "` + word + `", "name": "` + word + `"}]}]}]}`},
			}
		}
		series := func() int {
			_, text := metricsOf(t, a, header)
			return strings.Count(text, "\n")
		}
		send := func(from, to int) {
			for i := from; i < to; i++ {
				for _, c := range hostile(i) {
					c.header = header.Clone()
					c.do(t, a)
				}
			}
		}
		send(0, 3)
		before := series()
		send(3, 40)
		// Statements that a server only sends now and then, and what Go measures, may come; what clients make up may not.
		assert.Less(t, series(), before+60, "370 more requests of names made up")
		_, text := metricsOf(t, a, header)
		require.NoError(t, a.Close(context.Background()))
		holds(t, text, "sentinel", false)
		sent := c.all.String()
		require.NotEmpty(t, sent)
		for _, span := range c.named("query") { // the name of an operation may stand there
			for _, attribute := range span.GetAttributes() {
				if attribute.GetKey() == "graphql.operation.name" {
					sent = strings.ReplaceAll(sent, attribute.GetValue().GetStringValue()+`"`, `"`)
				}
			}
		}
		holds(t, sent, "sentinel", false)
		for _, private := range []string{key, "sentinel-embedder-key"} {
			holds(t, log.String()+sent+text, private, false)
		}
		for i := range 40 {
			holds(t, log.String(), fmt.Sprintf("sentinel%d text", i), false)
		}
		requireJSON(t, log.String())
	})
}

// No key of a tenant reads the metrics, which are of all.
func TestWhoReadsTheMetrics(t *testing.T) {
	read := func(a *App, header http.Header, host string) int {
		status, _ := call{method: "GET", path: "/metrics", header: header, host: host}.do(t, a)
		return status
	}
	bearer := func(key string) http.Header { return http.Header{"Authorization": {"Bearer " + key}} }
	open := run(t, nil)
	assert.Equal(t, 200, read(open, nil, ""))
	assert.Equal(t, 403, read(open, nil, "evil.example"), "by a name that was bound to this machine")
	assert.Equal(t, 403, read(open, http.Header{"Sec-Fetch-Site": {"cross-site"}}, ""))
	made, err := open.Keys.Create(t.Context(), keyring.CreateInput{Tenant: access.DefaultTenant, Role: access.Admin})
	require.NoError(t, err)
	assert.Equal(t, 401, read(open, nil, ""), "there is a key now")
	assert.Equal(t, 403, read(open, bearer(made.Secret), ""), "an admin's of a tenant")

	withKey := run(t, func(c *Config) { c.APIKey = "s3cret" })
	assert.Equal(t, 401, read(withKey, nil, ""))
	assert.Equal(t, 401, read(withKey, bearer("wrong"), ""))
	assert.Equal(t, 200, read(withKey, bearer("s3cret"), "mneme.example"))
	families, _ := metricsOf(t, withKey, bearer("s3cret"))
	assert.InDelta(t, 1, counted(families, "mneme_refusals_total", map[string]string{"reason": "wrong_key"}), 0)
}

// A collector that is away neither slows nor fails requests, nor keeps a server from ending.
func TestACollectorThatIsAway(t *testing.T) {
	c := newCollector(t)
	out := sentOut(t, c)
	c.Close()
	t.Setenv("OTEL_BSP_MAX_QUEUE_SIZE", "16")
	t.Setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "8")
	t.Setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "50")
	a, log := serving(t, out)
	for range 50 {
		status, answer := call{method: "POST", path: "/graphql", body: hello}.do(t, a)
		require.Equal(t, 200, status, answer)
	}
	require.NoError(t, a.Close(context.Background()))
	assert.Contains(t, log.String(), "cannot be sent out")
	assert.NotContains(t, log.String(), c.URL+"/v1", "the address may hold a key")
}

func TestWhatIsSentOutIsAskedFor(t *testing.T) {
	c := newCollector(t)
	config := DefaultConfig()
	require.NoError(t, config.SetSignals(lookup(map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": c.URL})))
	assert.False(t, config.Signals.Traces || config.Signals.Metrics, "an endpoint alone is for agents")
	require.NoError(t, config.SetSignals(lookup(map[string]string{"OTEL_TRACES_EXPORTER": "otlp", "OTEL_SDK_DISABLED": "true"})))
	assert.False(t, config.Signals.Traces)
	for name, env := range map[string]map[string]string{
		"OTEL_TRACES_EXPORTER":                {"OTEL_TRACES_EXPORTER": "console"},
		"OTEL_EXPORTER_OTLP_PROTOCOL":         {"OTEL_METRICS_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"},
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT":  {"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "s3cret"},
		"OTEL_EXPORTER_OTLP_HEADERS":          {"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%s3cret"},
		"OTEL_EXPORTER_OTLP_METRICS_PROTOCOL": {"OTEL_METRICS_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL": "http/json"},
	} {
		err := config.SetSignals(lookup(env))
		require.ErrorContains(t, err, name)
		assert.NotContains(t, err.Error(), "s3cret")
	}
}
