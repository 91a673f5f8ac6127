package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/web"
)

const listened = "subscription { episodeRecorded { cursor } }"

// trusting is a server with a list of documents.
func trusting(t *testing.T) *App {
	t.Helper()
	list, err := json.Marshal(map[string]string{"hello": "{ agents { totalCount } }", "listen": listened})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "documents.json")
	require.NoError(t, os.WriteFile(path, list, 0o600))
	return run(t, func(c *Config) { c.TrustedDocuments = path })
}

// TestAListMayBeginWithAByteOrderMark: some editors put one before it.
func TestAListMayBeginWithAByteOrderMark(t *testing.T) {
	path := filepath.Join(t.TempDir(), "documents.json")
	require.NoError(t, os.WriteFile(path, []byte("\uFEFF"+`{"hello": "{ agents { totalCount } }"}`), 0o600))
	_, err := Config{TrustedDocuments: path}.trustedDocuments()
	require.NoError(t, err)
}

// TestPagesAskBesideAList: every document that the explorer sends is answered, whatever the operator's list holds.
func TestPagesAskBesideAList(t *testing.T) {
	a := trusting(t)
	var own map[string]string
	require.NoError(t, json.Unmarshal(web.Documents(), &own))
	require.Greater(t, len(own), 20)
	for _, text := range own {
		body, err := json.Marshal(map[string]any{"query": text})
		require.NoError(t, err)
		status, answer := call{method: "POST", path: "/graphql", body: string(body)}.do(t, a)
		assert.Equal(t, http.StatusOK, status)
		assert.NotContains(t, answer, "MNEME_TRUSTED_DOCUMENTS", text)
	}
	status, answer := call{method: "POST", path: "/graphql", body: hello}.do(t, a)
	assert.Equal(t, http.StatusOK, status)
	assert.NotContains(t, answer, "errors")
	_, answer = call{method: "POST", path: "/graphql", body: `{"query": "{ agents { nodes { id } } }"}`}.do(t, a)
	assert.Contains(t, answer, "FORBIDDEN")
}

// TestSocketsTakeTrustedDocumentsOnly: by name or as a text, and no others.
func TestSocketsTakeTrustedDocumentsOnly(t *testing.T) {
	socket := dial(t, trusting(t), "")
	refused := map[string]bool{}
	for id, payload := range map[string]string{
		"named":          `{"query": "", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "listen"}}}`,
		"text":           `{"query": "` + listened + `"}`,
		"another":        `{"query": "subscription { feedbackSubmitted { cursor } }"}`,
		"unknown":        `{"query": "", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "none"}}}`,
		"another behind": `{"query": "subscription { feedbackSubmitted { cursor } }", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "listen"}}}`,
	} {
		socket.subscribe(t, id, payload)
	}
	for len(refused) < 3 {
		answer := socket.read(t)
		if answer.Type == "next" || answer.Type == "error" {
			assert.Contains(t, string(answer.Payload), "FORBIDDEN", answer.ID)
			refused[answer.ID] = true
		}
	}
	assert.Equal(t, map[string]bool{"another": true, "unknown": true, "another behind": true}, refused)
}

// TestSocketsTakePersistedQueries: the hash is known after it came once with its text.
func TestSocketsTakePersistedQueries(t *testing.T) {
	socket := dial(t, run(t, nil), "")
	const text = `subscription { episodeRecorded(after: \"none\") { cursor } }` // which is refused once it is understood
	hash := strings.Repeat("0", 64)
	socket.subscribe(t, "unknown", `{"query": "", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "`+hash+`"}}}`)
	assert.Contains(t, string(socket.next(t, "unknown").Payload), `"PERSISTED_QUERY_NOT_FOUND"`)
	sum := sha256.Sum256([]byte(strings.ReplaceAll(text, `\`, "")))
	hash = hex.EncodeToString(sum[:])
	socket.subscribe(t, "both", `{"query": "`+text+`", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "`+hash+`"}}}`)
	assert.Contains(t, string(socket.next(t, "both").Payload), `"field":"after"`)
	socket.subscribe(t, "named", `{"query": "", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "`+hash+`"}}}`)
	assert.Contains(t, string(socket.next(t, "named").Payload), `"field":"after"`)
}

// socket is a client of subscriptions over WebSocket.
type socket struct{ *websocket.Conn }

type message struct {
	Type    string          `json:"type"`
	ID      string          `json:"id,omitempty"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// connect connects, and says nothing yet.
func connect(t *testing.T, a *App, key string) socket {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	//nolint:bodyclose // which the library does
	conn, _, err := websocket.Dial(ctx, strings.Replace(a.URL(), "http", "ws", 1)+"/graphql", &websocket.DialOptions{
		Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{"X-Api-Key": {key}},
	})
	require.NoError(t, err)
	conn.SetReadLimit(32 << 20)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return socket{conn}
}

// dial connects, and begins.
func dial(t *testing.T, a *App, key string) socket {
	t.Helper()
	s := connect(t, a, key)
	require.NoError(t, wsjson.Write(t.Context(), s.Conn, message{Type: "connection_init"}))
	require.Equal(t, "connection_ack", s.read(t).Type)
	return s
}

func (s socket) subscribe(t *testing.T, id, payload string) {
	t.Helper()
	require.NoError(t, wsjson.Write(t.Context(), s.Conn, message{Type: "subscribe", ID: id, Payload: json.RawMessage(payload)}))
}

func (s socket) read(t *testing.T) (answer message) {
	t.Helper()
	require.NoError(t, wsjson.Read(t.Context(), s.Conn, &answer))
	return answer
}

// next is the next answer to a subscription.
func (s socket) next(t *testing.T, id string) message {
	t.Helper()
	for {
		if answer := s.read(t); answer.ID == id && answer.Payload != nil {
			return answer
		}
	}
}
