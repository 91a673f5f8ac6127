package app

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory/access"
	"mneme/service/keyring"
)

// slowly is a server on which a key has used up what it may, and may again after long.
func slowly(t *testing.T) (a *App, spent, fresh string) {
	t.Helper()
	a = run(t, func(c *Config) { c.RequestsPerKey = 1 })
	keys := [2]string{}
	for i := range keys {
		made, err := a.Keys.Create(t.Context(), keyring.CreateInput{Tenant: "acme", Role: access.Writer})
		require.NoError(t, err)
		keys[i] = made.Secret
	}
	return a, keys[0], keys[1]
}

// until asks until it is refused, as it is when it asks more often than once a second.
func until(t *testing.T, a *App, key string) {
	t.Helper()
	for range 10_000 {
		if status, _ := (call{method: "POST", path: "/graphql", body: hello, header: http.Header{"Authorization": {"Bearer " + key}}}).do(t, a); status == http.StatusTooManyRequests {
			return
		}
	}
	t.Fatal("it is never refused")
}

// TestAKeyThatAsksTooOften is refused wherever it asks, and told when to ask again; others are not.
func TestAKeyThatAsksTooOften(t *testing.T) {
	a, spent, fresh := slowly(t)
	for name, c := range map[string]call{
		"GraphQL":      {method: "POST", path: "/graphql", body: hello},
		"GET":          {method: "GET", path: "/graphql?query={__typename}"},
		"MCP":          {method: "POST", path: "/mcp", body: tools},
		"OTLP":         {method: "POST", path: "/v1/traces", body: spans},
		"events":       {method: "POST", path: "/graphql", body: `{"query": "subscription { episodeRecorded { cursor } }"}`, header: http.Header{"Accept": {"text/event-stream"}}},
		"a connection": {method: "GET", path: "/graphql", header: http.Header{"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"dGhlIHNhbXBsZSBub25jZQ=="}, "Sec-Websocket-Protocol": {"graphql-transport-ws"}}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.header == nil {
				c.header = http.Header{"Accept": {"application/json, text/event-stream"}}
			}
			c.header.Set("X-API-Key", spent)
			var header http.Header
			var body string
			require.Eventually(t, func() bool { // as a second may end in between
				until(t, a, spent)
				var status int
				status, header, body = c.answer(t, a)
				return status == http.StatusTooManyRequests
			}, time.Minute, time.Millisecond)
			assert.Equal(t, "1", header.Get("Retry-After"))
			assert.Contains(t, body, `"LIMIT_EXCEEDED"`)
			assert.Contains(t, body, "at most 1 requests a second")
		})
	}
	status, body := call{method: "POST", path: "/graphql", body: hello, header: http.Header{"X-Api-Key": {fresh}}}.do(t, a)
	assert.Equal(t, 200, status, body)
}

// TestAConnectionThatAsksTooOften: what is asked over a WebSocket counts, each time.
func TestAConnectionThatAsksTooOften(t *testing.T) {
	a, _, key := slowly(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	//nolint:bodyclose // which the library does
	conn, _, err := websocket.Dial(ctx, strings.Replace(a.URL(), "http", "ws", 1)+"/graphql", &websocket.DialOptions{
		Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{"Authorization": {"Bearer " + key}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.CloseNow() })
	type message struct {
		Type    string          `json:"type"`
		ID      string          `json:"id,omitempty"`
		Payload json.RawMessage `json:"payload,omitempty"`
	}
	require.NoError(t, wsjson.Write(ctx, conn, message{Type: "connection_init"}))
	require.NoError(t, wsjson.Write(ctx, conn, message{Type: "subscribe", ID: "broken", Payload: json.RawMessage(`{"query": "subscription {"}`)}))
	refused := 0
	for i := range 50 {
		require.NoError(t, wsjson.Write(ctx, conn, message{Type: "subscribe", ID: fmt.Sprint(i), Payload: json.RawMessage(`{"query": "subscription { episodeRecorded(after: \"none\") { cursor } }"}`)}))
	}
	for ended := 0; ended < 51; {
		var answer message
		require.NoError(t, wsjson.Read(ctx, conn, &answer))
		if answer.Type == "complete" {
			ended++
		}
		if answer.ID == "broken" && answer.Payload != nil {
			assert.Contains(t, string(answer.Payload), "Expected", "what cannot be read ends nothing but itself")
		}
		if strings.Contains(string(answer.Payload), "LIMIT_EXCEEDED") {
			assert.Contains(t, string(answer.Payload), "asks too often")
			refused++
		}
	}
	assert.Greater(t, refused, 25, "one a second")
}

// TestServeTakesTokens: it starts while the issuer is away and says so, and serves the tenant that a token names once
// the issuer is there.
func TestServeTakesTokens(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	provider := &oidctest.Server{PublicKeys: []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "one", Algorithm: oidc.RS256}}}
	var there atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if there.Load() {
			provider.ServeHTTP(w, r)
			return
		}
		http.Error(w, "later", http.StatusServiceUnavailable)
	}))
	t.Cleanup(server.Close)
	provider.SetIssuer(server.URL)
	token := func(tenant, role string) string {
		return oidctest.SignIDToken(key, "one", oidc.RS256, fmt.Sprintf(`{"iss": %q, "aud": "mneme", "sub": "ada", "exp": %d, "tenant": %q, "role": %q}`, server.URL, time.Now().Add(time.Hour).Unix(), tenant, role))
	}
	a := run(t, func(c *Config) { c.OIDC.Issuer, c.OIDC.Audience = server.URL, "mneme" })
	ask := func(key, query string) (int, string) {
		header := http.Header{}
		if key != "" {
			header.Set("Authorization", "Bearer "+key)
		}
		return call{method: "POST", path: "/graphql", body: query, header: header}.do(t, a)
	}
	status, body := ask("", hello)
	assert.Equal(t, 401, status, "with an issuer this machine is not open: %s", body)
	status, body = ask(token("acme", "writer"), hello)
	assert.Equal(t, http.StatusServiceUnavailable, status, body)
	made, err := a.Keys.Create(t.Context(), keyring.CreateInput{Tenant: "acme", Role: access.Reader})
	require.NoError(t, err)
	status, body = ask(made.Secret, hello)
	assert.Equal(t, 200, status, "keys need no issuer: %s", body)
	ready, _ := call{method: "GET", path: "/readyz"}.do(t, a)
	assert.Equal(t, 200, ready)

	there.Store(true)
	require.Eventually(t, func() bool {
		status, body = ask(token("acme", "writer"), hello)
		return status == 200
	}, time.Minute, 100*time.Millisecond, body)
	record := `{"query": "mutation { recordEpisode(input: {id: \"e1\", agentId: \"a\", title: \"t\", observation: \"o\", taskType: \"x\", startedAt: \"2026-03-01T12:00:00Z\", outcome: SUCCESS}) { episode { id } } }"}`
	_, body = ask(token("acme", "reader"), record)
	assert.Contains(t, body, "FORBIDDEN")
	_, body = ask(token("acme", "writer"), record)
	assert.Contains(t, body, `"episode:e1"`)
	for who, want := range map[string]string{token("acme", "reader"): `"totalCount":1`, made.Secret: `"totalCount":1`, token("other", "admin"): `"totalCount":0`} {
		_, body = ask(who, hello)
		assert.Contains(t, body, want)
	}
	status, body = ask(token("../acme", "admin"), hello)
	assert.Equal(t, http.StatusForbidden, status, body)
}
