package app

import (
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	page    = "https://app.example.com"
	strange = "https://evil.example"
)

// TestPagesOfAllowedOriginsMayAsk: what a browser asks before, and then, of all that answers from the memory.
func TestPagesOfAllowedOriginsMayAsk(t *testing.T) {
	a := run(t, func(c *Config) { c.Origins, c.APIKey = []string{page, "http://localhost:3000"}, "s3cret" })
	none := run(t, func(c *Config) { c.APIKey = "s3cret" })
	for path, body := range map[string]string{"/graphql": hello, "/mcp": tools, "/v1/traces": spans} {
		preflight := func(a *App, origin, method string) http.Header {
			return ask(t, a, http.MethodOptions, path, "", map[string]string{
				"Origin": origin, "Sec-Fetch-Site": "cross-site", "Access-Control-Request-Method": method,
				"Access-Control-Request-Headers": "authorization,content-type,x-api-key",
			}).Header
		}
		for _, origin := range []string{page, "http://localhost:3000"} {
			may := preflight(a, origin, "POST")
			assert.Equal(t, origin, may.Get("Access-Control-Allow-Origin"))
			assert.Equal(t, "authorization,content-type,x-api-key", may.Get("Access-Control-Allow-Headers"))
			assert.Equal(t, "POST", may.Get("Access-Control-Allow-Methods"))
			assert.Empty(t, may.Get("Access-Control-Allow-Credentials"), "keys are sent by the page, not by the browser")
		}
		assert.Empty(t, preflight(a, page, "DELETE").Get("Access-Control-Allow-Origin"))
		for _, origin := range []string{strange, "http://app.example.com", page + ".evil.example", "https://sub.app.example.com", "null"} {
			assert.Empty(t, preflight(a, origin, "POST").Get("Access-Control-Allow-Origin"), origin)
		}
		assert.Empty(t, preflight(none, page, "POST").Get("Access-Control-Allow-Origin"))

		from := func(a *App, origin, key string) asked {
			return ask(t, a, http.MethodPost, path, body, map[string]string{
				"Origin": origin, "Sec-Fetch-Site": "cross-site", "X-API-Key": key, "Accept": "application/json, text/event-stream",
			})
		}
		let := from(a, page, "s3cret")
		assert.Equal(t, http.StatusOK, let.StatusCode, path)
		assert.Equal(t, page, let.Header.Get("Access-Control-Allow-Origin"))
		assert.Contains(t, let.Header.Get("Access-Control-Expose-Headers"), "X-Request-Id")
		assert.Contains(t, let.Header.Values("Vary"), "Origin")
		wrong := from(a, page, "another")
		assert.Equal(t, http.StatusUnauthorized, wrong.StatusCode)
		assert.Equal(t, page, wrong.Header.Get("Access-Control-Allow-Origin"), "the page may know why")
		for _, refused := range []asked{from(a, strange, "s3cret"), from(none, page, "s3cret")} {
			assert.Equal(t, http.StatusForbidden, refused.StatusCode)
			assert.Empty(t, refused.Header.Get("Access-Control-Allow-Origin"))
			assert.Contains(t, string(refused.body), "FORBIDDEN")
		}
	}
	assert.Empty(t, ask(t, a, http.MethodGet, "/", "", map[string]string{"Origin": page}).Header.Get("Access-Control-Allow-Origin"), "the server's pages are its own")
}

// TestSocketsFollowTheOrigins: browsers ask nobody before they open a WebSocket.
func TestSocketsFollowTheOrigins(t *testing.T) {
	a := run(t, func(c *Config) { c.Origins = []string{page} })
	for origin, let := range map[string]bool{"": true, page: true, a.URL(): true, strange: false, "http://app.example.com": false, "null": false} {
		header := http.Header{}
		if origin != "" {
			header.Set("Origin", origin)
		}
		socket, answer, err := websocket.Dial(t.Context(), strings.Replace(a.URL(), "http", "ws", 1)+"/graphql", //nolint:bodyclose // the library says not to
			&websocket.DialOptions{HTTPHeader: header, Subprotocols: []string{"graphql-transport-ws"}})
		if let {
			require.NoError(t, err, origin)
			require.NoError(t, socket.CloseNow())
			continue
		}
		require.Error(t, err, origin)
		assert.Equal(t, http.StatusForbidden, answer.StatusCode, origin)
	}
}
