package mcpserver_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/mcpserver"
	"mneme/service"
)

// Each request works on the memory of the tenant that the handlers before this one name, whoever asked before.
func TestTenantsOverHTTP(t *testing.T) {
	t.Parallel()
	handler := mcpserver.Handler(mcpserver.New(memoryOf(t), mcpserver.Options{Log: slog.New(slog.DiscardHandler)}))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tenant := strings.TrimPrefix(r.URL.Path, "/")
		handler.ServeHTTP(w, r.WithContext(service.WithTenant(r.Context(), tenant)))
	}))
	t.Cleanup(server.Close)
	one := connect(t, &mcp.StreamableClientTransport{Endpoint: server.URL + "/one"})
	two := connect(t, &mcp.StreamableClientTransport{Endpoint: server.URL + "/two"})
	one.call(t, "memoir_create", vars{"name": "Ours"}, nil)
	var list struct{ Memoirs []struct{ Name string } }
	two.call(t, "memoir_list", nil, &list)
	assert.Empty(t, list.Memoirs)
	one.call(t, "memoir_list", nil, &list)
	assert.Len(t, list.Memoirs, 1)
}

func TestHTTPRefuses(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(mcpserver.Handler(serverOf(t, memoryOf(t))))
	t.Cleanup(server.Close)
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	plain := map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
	with := func(name, value string) map[string]string {
		headers := map[string]string{name: value}
		for name, value := range plain {
			if headers[name] == "" {
				headers[name] = value
			}
		}
		return headers
	}
	tests := map[string]struct {
		method, body string
		headers      map[string]string
		status       int
		says         string
	}{
		"a list":          {"POST", list, plain, 200, `"recall"`},
		"batch":           {"POST", " [" + list + "]", plain, 400, "batches"},
		"too large":       {"POST", strings.Repeat(" ", 16<<20) + list, plain, 413, "16777216"},
		"not UTF-8":       {"POST", "{\"a\":\"\xff\"}", plain, 400, "UTF-8"},
		"no JSON":         {"POST", "{", plain, 400, ""},
		"a form":          {"POST", list, with("Content-Type", "text/plain"), 415, ""},
		"GET":             {"GET", "", plain, 405, ""},
		"half an id":      {"POST", `{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}`, plain, 400, `"id":1.5,"error":`},
		"a heavy message": {"POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":[` + strings.Repeat(`{"":0},`, 200_000) + `0]}}`, plain, 400, "2000000 values"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), tt.method, server.URL, strings.NewReader(tt.body))
			require.NoError(t, err)
			for name, value := range tt.headers {
				request.Header.Set(name, value)
			}
			answer, err := http.DefaultClient.Do(request)
			require.NoError(t, err)
			defer answer.Body.Close()
			text, err := io.ReadAll(answer.Body)
			require.NoError(t, err)
			assert.Equal(t, tt.status, answer.StatusCode, string(text))
			assert.Contains(t, string(text), tt.says)
		})
	}
}
