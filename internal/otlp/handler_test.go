package otlp_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"mneme/internal/otlp"
	"mneme/memory"
	"mneme/memory/capture"
	"mneme/service/boundary"
	"mneme/service/traces"
)

// kept remembers what it is given, or fails.
type kept struct {
	spans  []boundary.TraceSpan
	answer traces.RecordedSpans
	err    error
}

// to binds every request to one recorder.
func to(recorder otlp.Recorder) otlp.Bind {
	return func(context.Context) (otlp.Recorder, error) { return recorder, nil }
}

func (k *kept) RecordSpans(_ context.Context, spans []boundary.TraceSpan) (traces.RecordedSpans, error) {
	k.spans = append(k.spans, spans...)
	return k.answer, k.err
}

const (
	protobuf = "application/x-protobuf"
	jsonForm = "application/json"
	// oneSpan is what the specification shows: ids in hex digits of either case, 64-bit numbers as text or
	// as numbers, and a field that nobody knows.
	oneSpan = `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"my.service"}}]},"scopeSpans":[{"scope":{"name":"lib"},"spans":[
		{"traceId":"5B8EFFF798038103D269B633813FC60C","spanId":"EEE19B7EC3C1B174","parentSpanId":"eee19b7ec3c1b173","name":"chat m","kind":2,"unheardOf":{"a":1},
		 "startTimeUnixNano":"1544712660000000000","endTimeUnixNano":1544712661000000000,"attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}}]}]}]}]}`
)

func post(t *testing.T, recorder otlp.Recorder, body []byte, header http.Header) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequest(http.MethodPost, "/v1/traces", bytes.NewReader(body))
	request.Header = header
	answer := httptest.NewRecorder()
	otlp.Handler(to(recorder), strings.Clone, slog.New(slog.DiscardHandler)).ServeHTTP(answer, request)
	return answer
}

func packed(t *testing.T, body []byte) []byte {
	t.Helper()
	var buffer bytes.Buffer
	w := gzip.NewWriter(&buffer)
	_, err := w.Write(body)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return buffer.Bytes()
}

func TestJSON(t *testing.T) {
	for name, header := range map[string]http.Header{
		"plain": {"Content-Type": {jsonForm + "; charset=utf-8"}},
		"gzip":  {"Content-Type": {jsonForm}, "Content-Encoding": {"gzip"}},
	} {
		t.Run(name, func(t *testing.T) {
			body := []byte(oneSpan)
			if header.Get("Content-Encoding") != "" {
				body = packed(t, body)
			}
			k := &kept{}
			answer := post(t, k, body, header)
			assert.Equal(t, 200, answer.Code)
			assert.Equal(t, jsonForm, answer.Header().Get("Content-Type"))
			assert.JSONEq(t, `{}`, answer.Body.String(), "partialSuccess is not set")
			require.Len(t, k.spans, 1)
			assert.Equal(t, "5b8efff798038103d269b633813fc60c", k.spans[0].Trace)
			assert.Equal(t, "eee19b7ec3c1b174", k.spans[0].Span.ID)
			assert.Equal(t, "eee19b7ec3c1b173", k.spans[0].Span.Parent)
			assert.Equal(t, capture.SpanModel, k.spans[0].Span.Kind)
			assert.Equal(t, int64(1544712661), k.spans[0].Span.EndedAt.Unix())
		})
	}
}

func TestRefusals(t *testing.T) {
	bomb := packed(t, make([]byte, 17<<20))
	tests := map[string]struct {
		body     []byte
		form     string
		encoding string
		status   int
	}{
		"not protobuf":           {[]byte("nonsense"), protobuf, "", 400},
		"not JSON":               {[]byte("{"), jsonForm, "", 400},
		"ids of no digits":       {[]byte(strings.Replace(oneSpan, "EEE19B7EC3C1B174", "!!", 1)), jsonForm, "", 400},
		"another form":           {[]byte(oneSpan), "text/plain", "", 415},
		"no form":                {[]byte(oneSpan), "", "", 415},
		"another packing":        {[]byte(oneSpan), jsonForm, "zstd", 415},
		"not packed":             {[]byte(oneSpan), jsonForm, "gzip", 400},
		"too long":               {make([]byte, 17<<20), protobuf, "", 413},
		"too long when unpacked": {bomb, protobuf, "gzip", 413},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			k := &kept{}
			answer := post(t, k, tt.body, http.Header{"Content-Type": {tt.form}, "Content-Encoding": {tt.encoding}})
			assert.Equal(t, tt.status, answer.Code)
			assert.Empty(t, k.spans)
			says := answer.Body.String()
			assert.NotContains(t, says, "nonsense", "an answer never repeats the body")
			if tt.form == protobuf {
				assert.Equal(t, protobuf, answer.Header().Get("Content-Type"))
				assert.Equal(t, byte(2<<3|2), says[0], "the message of a google.rpc.Status")
			} else {
				assert.Equal(t, jsonForm, answer.Header().Get("Content-Type"))
				assert.Regexp(t, `^\{"message": ?"`, says)
			}
		})
	}
}

func TestOtherMethods(t *testing.T) {
	answer := httptest.NewRecorder()
	otlp.Handler(to(&kept{}), strings.Clone, slog.Default()).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/v1/traces", nil))
	assert.Equal(t, 405, answer.Code)
	assert.Equal(t, "POST", answer.Header().Get("Allow"))
}

func TestNothingIsSuccess(t *testing.T) {
	answer := post(t, &kept{}, nil, http.Header{"Content-Type": {protobuf}})
	assert.Equal(t, 200, answer.Code)
	assert.Empty(t, answer.Body.Bytes())
}

// What is left out is counted: spans without an id or a time here, and those that the service does not take.
func TestPartialSuccess(t *testing.T) {
	var export collector.ExportTraceServiceRequest
	id, span, end := bytes.Repeat([]byte{7}, 16), bytes.Repeat([]byte{8}, 8), uint64(math.MaxInt64)
	export.ResourceSpans = []*trace.ResourceSpans{{ScopeSpans: []*trace.ScopeSpans{{Spans: []*trace.Span{
		{TraceId: id, SpanId: span, StartTimeUnixNano: 1},
		{TraceId: id, SpanId: span, ParentSpanId: make([]byte, 8), StartTimeUnixNano: 1, EndTimeUnixNano: end},
		{TraceId: id, StartTimeUnixNano: 1, EndTimeUnixNano: 2},
		{TraceId: span, SpanId: span, StartTimeUnixNano: 1, EndTimeUnixNano: 2},
		{TraceId: make([]byte, 16), SpanId: span, StartTimeUnixNano: 1, EndTimeUnixNano: 2},
		{TraceId: id, SpanId: make([]byte, 8), StartTimeUnixNano: 1, EndTimeUnixNano: 2},
		{TraceId: id, SpanId: span, StartTimeUnixNano: 1, EndTimeUnixNano: end + 1},
	}}}}}
	binary, err := proto.Marshal(&export)
	require.NoError(t, err)
	tests := map[string]struct {
		answer traces.RecordedSpans
		says   []string
	}{
		"by their form": {traces.RecordedSpans{Accepted: 1}, []string{"6 spans were left out; 6: a span needs"}},
		"by their content": {
			traces.RecordedSpans{Rejected: 1, Reason: memory.Invalid("agent", "is too long")},
			[]string{"7 spans were left out; 6: a span needs", "; 1, the first: ", "is too long"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			k := &kept{answer: tt.answer}
			answer := post(t, k, binary, http.Header{"Content-Type": {protobuf}})
			assert.Equal(t, 200, answer.Code)
			require.Len(t, k.spans, 1)
			assert.Empty(t, k.spans[0].Span.Parent)
			assert.Equal(t, 2262, k.spans[0].Span.EndedAt.Year())
			var response collector.ExportTraceServiceResponse
			require.NoError(t, proto.Unmarshal(answer.Body.Bytes(), &response))
			assert.Equal(t, int64(6+tt.answer.Rejected), response.GetPartialSuccess().GetRejectedSpans())
			for _, says := range tt.says {
				assert.Contains(t, response.GetPartialSuccess().GetErrorMessage(), says)
			}
		})
	}
	k := &kept{answer: traces.RecordedSpans{Rejected: 1, Reason: memory.Invalid("agent", "is too long")}}
	var response collector.ExportTraceServiceResponse
	require.NoError(t, protojson.Unmarshal(post(t, k, []byte(oneSpan), http.Header{"Content-Type": {jsonForm}}).Body.Bytes(), &response))
	assert.Equal(t, int64(1), response.GetPartialSuccess().GetRejectedSpans())
	assert.Contains(t, response.GetPartialSuccess().GetErrorMessage(), "agent")
}

// A clock that is put back while a span is open makes no less of it: it may be the root, by which its trace is found. A
// start far behind the end is none.
func TestSpansThatEndBeforeTheyBegin(t *testing.T) {
	const end, day = uint64(5e9), uint64(24 * time.Hour)
	for start, keeps := range map[uint64]bool{9e9: true, end + day: true, end + day + 1: false, math.MaxInt64: false} {
		span := &trace.Span{TraceId: bytes.Repeat([]byte{7}, 16), SpanId: bytes.Repeat([]byte{8}, 8), StartTimeUnixNano: start, EndTimeUnixNano: end}
		binary, err := proto.Marshal(&collector.ExportTraceServiceRequest{
			ResourceSpans: []*trace.ResourceSpans{{ScopeSpans: []*trace.ScopeSpans{{Spans: []*trace.Span{span}}}}},
		})
		require.NoError(t, err)
		k := &kept{answer: traces.RecordedSpans{Accepted: 1}}
		answer := post(t, k, binary, http.Header{"Content-Type": {protobuf}}).Body.String()
		if !keeps {
			assert.Empty(t, k.spans, start)
			assert.Contains(t, answer, "not more than a day before")
			continue
		}
		assert.Empty(t, answer)
		require.Len(t, k.spans, 1)
		assert.Equal(t, k.spans[0].Span.StartedAt, k.spans[0].Span.EndedAt)
	}
}

func TestFaultsThatPass(t *testing.T) {
	answer := post(t, &kept{err: &memory.Error{Code: memory.CodeUnavailable}}, []byte(oneSpan), http.Header{"Content-Type": {jsonForm}})
	assert.Equal(t, 503, answer.Code)
	assert.Equal(t, "5", answer.Header().Get("Retry-After"))
}

// Of spans that say nothing of an agent the log tells once for each scope, without secrets.
func TestUnreadSpansAreToldOnce(t *testing.T) {
	var log bytes.Buffer
	handler := otlp.Handler(to(&kept{}), func(text string) string { return strings.ReplaceAll(text, "secret", "[REDACTED]") }, slog.New(slog.NewTextHandler(&log, nil)))
	for _, spans := range []string{httpSpan("lib.http", "GET") + "," + httpSpan("lib.db", "SELECT secret"), httpSpan("lib.http", "POST")} {
		request := httptest.NewRequest(http.MethodPost, "/v1/traces", strings.NewReader(`{"resourceSpans":[{"scopeSpans":[`+spans+`]}]}`))
		request.Header.Set("Content-Type", jsonForm)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		require.Equal(t, "{}", answer.Body.String())
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	require.Len(t, lines, 2)
	assert.Contains(t, lines[0], `scope=lib.db span="SELECT [REDACTED]" spans=1`)
	assert.Contains(t, lines[1], `scope=lib.http span=GET spans=1`)
}

func httpSpan(scope, name string) string {
	return `{"scope":{"name":"` + scope + `"},"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","name":"` + name + `","startTimeUnixNano":"1","endTimeUnixNano":"2"}]}`
}

// SDKs with one address for all send metrics and logs too. They are told that all is well, in the form that they read.
func TestMetricsAndLogsAreDropped(t *testing.T) {
	for form, want := range map[string]string{protobuf: "", jsonForm: "{}"} {
		request := httptest.NewRequest(http.MethodPost, "/v1/metrics", strings.NewReader("whatever it is"))
		request.Header.Set("Content-Type", form)
		answer := httptest.NewRecorder()
		otlp.Ignored().ServeHTTP(answer, request)
		assert.Equal(t, http.StatusOK, answer.Code)
		assert.Equal(t, []string{form, want}, []string{answer.Header().Get("Content-Type"), answer.Body.String()})
	}
}
