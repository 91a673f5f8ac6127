package app

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asked is an answer as it went over the wire.
type asked struct {
	*http.Response
	body []byte
}

// ask sends a request that says itself what it accepts.
func ask(t *testing.T, a *App, method, path, body string, header map[string]string) asked {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, a.URL()+path, strings.NewReader(body))
	require.NoError(t, err)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	answer, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return asked{answer, text}
}

// plainly is the text of an answer.
func (a asked) plainly(t *testing.T) string {
	t.Helper()
	var plain io.Reader = bytes.NewReader(a.body)
	switch coding := a.Header.Get("Content-Encoding"); coding {
	case "":
	case "gzip":
		reader, err := gzip.NewReader(plain)
		require.NoError(t, err)
		plain = reader
	case "zstd":
		reader, err := zstd.NewReader(plain)
		require.NoError(t, err)
		defer reader.Close()
		plain = reader
	default:
		t.Fatalf("answered as %s", coding)
	}
	text, err := io.ReadAll(plain)
	require.NoError(t, err)
	return string(text)
}

const wholeSchema = `{"query": "{ __schema { types { name description fields { name description } } } }"}`

func TestAnswersAreCompressed(t *testing.T) {
	a := run(t, nil)
	agent := "application/json, text/event-stream"
	for name, tt := range map[string]struct {
		method, path, body, accept, coding string
	}{
		"zstd":                      {"POST", "/graphql", wholeSchema, "zstd", "zstd"},
		"gzip":                      {"POST", "/graphql", wholeSchema, "gzip", "gzip"},
		"as browsers ask":           {"POST", "/graphql", wholeSchema, "gzip, deflate, br, zstd", "zstd"},
		"the one that is better":    {"POST", "/graphql", wholeSchema, "zstd;q=0.5, gzip", "gzip"},
		"one that is not wanted":    {"POST", "/graphql", wholeSchema, "zstd;q=0, gzip;q=0", ""},
		"neither":                   {"POST", "/graphql", wholeSchema, "br", ""},
		"plain":                     {"POST", "/graphql", wholeSchema, "identity", ""},
		"nothing said":              {"POST", "/graphql", wholeSchema, "", ""},
		"by GET":                    {"GET", "/graphql?query={__schema{types{name,description}}}", "", "zstd", "zstd"},
		"a tiny answer":             {"POST", "/graphql", hello, "zstd, gzip", ""},
		"a tiny refusal":            {"POST", "/graphql", `{}`, "zstd, gzip", ""},
		"the tools of agents":       {"POST", "/mcp", tools, "zstd, gzip", "zstd"},
		"the tools, gzip":           {"POST", "/mcp", tools, "gzip", "gzip"},
		"the tools, plain":          {"POST", "/mcp", tools, "identity", ""},
		"a file, plain":             {"GET", "/THIRD_PARTY_LICENSES.txt", "", "zstd", ""}, // made once with gzip, and better
		"a page fits into a packet": {"GET", "/", "", "gzip, zstd", ""},
		"a file":                    {"GET", "/THIRD_PARTY_LICENSES.txt", "", "gzip, deflate, br, zstd", "gzip"},
		"a probe says but a word":   {"GET", "/healthz", "", "zstd, gzip", ""},
		"spans, whose answer is {}": {"POST", "/v1/traces", spans, "zstd, gzip", ""},
	} {
		t.Run(name, func(t *testing.T) {
			header := map[string]string{"Accept": agent}
			if tt.accept != "" {
				header["Accept-Encoding"] = tt.accept
			}
			got := ask(t, a, tt.method, tt.path, tt.body, header)
			assert.Equal(t, tt.coding, got.Header.Get("Content-Encoding"))
			plain := ask(t, a, tt.method, tt.path, tt.body, map[string]string{"Accept": agent, "Accept-Encoding": "identity"})
			assert.Empty(t, plain.Header.Get("Content-Encoding"))
			assert.Equal(t, string(plain.body), got.plainly(t))
			assert.Equal(t, plain.StatusCode, got.StatusCode)
			assert.Equal(t, plain.Header.Get("Content-Type"), got.Header.Get("Content-Type"))
			if tt.coding != "" {
				assert.Less(t, 2*len(got.body), len(plain.body))
				assert.Contains(t, strings.Join(got.Header.Values("Vary"), ","), "Accept-Encoding")
				assert.Contains(t, strings.Join(plain.Header.Values("Vary"), ","), "Accept-Encoding", "of caches, too")
			}
		})
	}
}

// TestEventsComeAtOnceAndPlain: a client that takes compressed answers hears of each event as it comes.
func TestEventsComeAtOnceAndPlain(t *testing.T) {
	a := run(t, nil)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.URL()+"/graphql",
		strings.NewReader(`{"query": "subscription { episodeRecorded { episode { id observation } } }"}`))
	require.NoError(t, err)
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "text/event-stream", "Accept-Encoding": "gzip, zstd"} {
		request.Header.Set(name, value)
	}
	answer, err := (&http.Transport{DisableCompression: true}).RoundTrip(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	assert.Empty(t, answer.Header.Get("Content-Encoding"))
	lines := bufio.NewScanner(answer.Body)
	require.True(t, lines.Scan(), "that it listens is said at once")
	for i := range 2 {
		id, long := fmt.Sprint("e", i), strings.Repeat("much to say ", 500)
		body, err := json.Marshal(map[string]any{
			"query":     `mutation($i: RecordEpisodeInput!) { recordEpisode(input: $i) { episode { id } } }`,
			"variables": map[string]any{"i": map[string]any{"id": id, "agentId": "a", "observation": long}},
		})
		require.NoError(t, err)
		require.NotContains(t, string(ask(t, a, "POST", "/graphql", string(body), nil).body), "errors")
		for !strings.HasPrefix(lines.Text(), "data:") { // each comes before the next is recorded
			require.True(t, lines.Scan())
		}
		assert.Contains(t, lines.Text(), `"episode:`+id+`"`)
		require.True(t, lines.Scan())
	}
}
