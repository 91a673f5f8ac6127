package app

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
	"mneme/internal/testneo4j"
	"mneme/memory/access"
	"mneme/service/events"
)

// eventsAt are what a subscription at a server is told, as text, by server-sent events.
func eventsAt(ctx context.Context, t *testing.T, url, key, query string) <-chan string {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/graphql", strings.NewReader(mustJSON(map[string]string{"query": query})))
	require.NoError(t, err)
	request.Header = http.Header{"Authorization": {"Bearer " + key}, "Accept": {"text/event-stream"}, "Content-Type": {"application/json"}}
	answer, err := http.DefaultClient.Do(request) //nolint:bodyclose // it is closed by who reads it
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.StatusCode)
	lines, told := bufio.NewScanner(answer.Body), make(chan string, 1<<10)
	require.True(t, lines.Scan(), "the server says from when on it is heard")
	go func() {
		defer close(told)
		defer answer.Body.Close()
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				told <- data
			}
		}
	}()
	return told
}

// socketAt are what a subscription at a server is told over WebSocket.
func socketAt(ctx context.Context, t *testing.T, url, key, query string) <-chan string {
	t.Helper()
	conn, _, err := websocket.Dial(ctx, url+"/graphql", &websocket.DialOptions{ //nolint:bodyclose // which the connection is
		HTTPHeader: http.Header{"Authorization": {"Bearer " + key}}, Subprotocols: []string{"graphql-transport-ws"},
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.CloseNow() })
	say := func(message map[string]any) {
		require.NoError(t, conn.Write(ctx, websocket.MessageText, []byte(mustJSON(message))))
	}
	say(map[string]any{"type": "connection_init"})
	_, acknowledged, err := conn.Read(ctx)
	require.NoError(t, err)
	require.Contains(t, string(acknowledged), "connection_ack")
	say(map[string]any{"type": "subscribe", "id": "1", "payload": map[string]any{"query": query}})
	told := make(chan string, 1<<10) // what nobody asked for yet must not keep pings waiting
	go func() {
		defer close(told)
		for {
			_, text, err := conn.Read(ctx)
			if err != nil {
				return
			}
			var message struct {
				Type    string
				Payload json.RawMessage
			}
			switch _ = json.Unmarshal(text, &message); message.Type {
			case "next", "error":
				told <- string(message.Payload)
			case "ping":
				_ = conn.Write(ctx, websocket.MessageText, []byte(`{"type": "pong"}`))
			}
		}
	}()
	return told
}

// TestNobodyHearsOfOthers subscribes to each kind of event, from the beginning, by the names of another tenant's
// records: only one's own, which come last, are heard. A cursor of another's events is unknown.
func TestNobodyHearsOfOthers(t *testing.T) { testHeard(t, nil) }

func TestNobodyHearsOfOthersOnNeo4j(t *testing.T) {
	server := testneo4j.Reach(t)
	testHeard(t, func(c *Config) {
		c.Store, c.Neo4j = server.URL, Neo4jLogin{User: server.User, Password: server.Password}
	})
}

func testHeard(t *testing.T, change func(*Config)) {
	w := newIsolated(t, change)
	ctx, leave := context.WithTimeout(t.Context(), 2*time.Minute)
	defer leave()
	heard, theirs := map[string]<-chan string{}, map[string]<-chan string{}
	asked := map[string]string{}
	for name := range gqlhttp.Rules() {
		field, ok := strings.CutPrefix(name, "Subscription.")
		if !ok {
			continue
		}
		definition := w.schema.Subscription.Fields.ForName(field)
		query := func(after string) string {
			arguments := shape{id: borne, name: borne, page: after, part: "after"}.arguments(w.schema, definition)
			return "subscription { " + field + arguments + everything(w.schema, definition.Type, 2) + " }"
		}
		asked[field] = query("AFTER")
		for _, role := range access.Roles {
			heard[field+" by events as "+string(role)] = eventsAt(ctx, t, w.URL(), w.keys[w.asks][role], query(events.CursorAt(0)))
			heard[field+" over a socket as "+string(role)] = socketAt(ctx, t, w.URL(), w.keys[w.asks][role], query(events.CursorAt(0)))
		}
		theirs[field] = eventsAt(ctx, t, w.URL(), w.keys[w.full][access.Reader], query(events.CursorAt(0)))
	}
	require.NotEmpty(t, heard)
	for field, told := range theirs {
		event := toldOf(t, told, sentinel, "no event says this")
		_, cursor, _ := strings.Cut(event, `"cursor":"`)
		cursor, _, _ = strings.Cut(cursor, `"`)
		for _, subscribe := range []func(context.Context, *testing.T, string, string, string) <-chan string{eventsAt, socketAt} {
			foreign := <-subscribe(ctx, t, w.URL(), w.keys[w.guesses][access.Reader], strings.Replace(asked[field], "AFTER", cursor, 1))
			none := <-subscribe(ctx, t, w.URL(), w.keys[w.guesses][access.Reader], strings.Replace(asked[field], "AFTER", events.CursorAt(1<<40), 1))
			assert.Contains(t, none, "NOT_FOUND")
			assert.Equal(t, none, foreign, "%s after another's cursor", field)
		}
	}
	const own = "quokkaplain"
	w.fill(t, w.asks, own)
	for name, told := range heard {
		event := toldOf(t, told, own, sentinel)
		assert.Contains(t, event, `"cursor"`, name)
	}
}

// toldOf is the first event that says a word, as alerts do not all. None before says another.
func toldOf(t *testing.T, told <-chan string, word, another string) string {
	t.Helper()
	for event := range told {
		require.NotContains(t, event, another)
		if strings.Contains(event, word) {
			return event
		}
	}
	require.Fail(t, "nobody was told of "+word)
	return ""
}
