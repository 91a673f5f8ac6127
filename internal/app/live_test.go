package app

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory/access"
	"mneme/service/keyring"
)

// heardLog is the log of a server, which writes to it beside the test.
type heardLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *heardLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

// String is the log so far.
func (l *heardLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// with are the lines that hold a text.
func (l *heardLog) with(text string) (lines []string) {
	for line := range strings.Lines(l.String()) {
		if strings.Contains(line, text) {
			lines = append(lines, line)
		}
	}
	return lines
}

// listenable is a server whose log is heard, and a way to make keys of it.
func listenable(t *testing.T, change func(*Config)) (a *App, log *heardLog, key func(tenant string) *keyring.Created) {
	t.Helper()
	config := DefaultConfig()
	config.Data, config.Listen = t.TempDir(), "127.0.0.1:0"
	change(&config)
	log = &heardLog{}
	a, err := Start(t.Context(), config, NewLogger(slog.NewJSONHandler(log, nil)))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, a.Close(context.Background())) })
	return a, log, func(tenant string) *keyring.Created {
		made, err := a.Keys.Create(t.Context(), keyring.CreateInput{Tenant: tenant, Role: access.Writer})
		require.NoError(t, err)
		return made
	}
}

// narrow connects to where whoever does not read takes little.
func narrow(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if tcp, ok := conn.(*net.TCPConn); ok {
		err = tcp.SetReadBuffer(4 << 10)
	}
	return conn, err
}

// large asks for a text twenty times over, so that few events fill what is between a server and a client.
var large = func() string {
	var fields strings.Builder
	for i := range 20 {
		fmt.Fprintf(&fields, " o%d: observation", i)
	}
	return `subscription { episodeRecorded { episode {` + fields.String() + ` } } }`
}()

// TestWhoDoesNotReadIsDropped: whoever subscribes and does not read is dropped, over both transports, while a writer
// writes on; the log says so once, with the prefix of the key.
func TestWhoDoesNotReadIsDropped(t *testing.T) {
	for name, subscribe := range map[string]func(t *testing.T, a *App, key string){"SSE": stuckEvents, "WebSocket": stuckSocket} {
		t.Run(name, func(t *testing.T) {
			a, log, key := listenable(t, func(c *Config) { c.live.Take = 300 * time.Millisecond })
			stuck, writer := key("acme"), key("acme")
			subscribe(t, a, stuck.Secret)
			body, err := json.Marshal(map[string]any{
				"query":     `mutation ($o: String!) { recordEpisode(input: {agentId: "a", observation: $o}) { episode { id } } }`,
				"variables": map[string]any{"o": strings.Repeat("It rains in the hills. ", 2_000)},
			})
			require.NoError(t, err)
			for wrote := 0; len(log.with("a subscriber was dropped")) == 0; wrote++ {
				require.Less(t, wrote, 2000, "it is never dropped")
				status, answer := call{method: "POST", path: "/graphql", body: string(body), header: http.Header{"X-Api-Key": {writer.Secret}}}.do(t, a)
				require.Equal(t, 200, status, answer)
				require.NotContains(t, answer, "errors")
			}
			require.Eventually(t, func() bool {
				var stacks bytes.Buffer
				_ = pprof.Lookup("goroutine").WriteTo(&stacks, 1)
				return !strings.Contains(stacks.String(), "mneme/service/events.Follow") && !strings.Contains(stacks.String(), "gqlhttp.(*eventStream)") &&
					!strings.Contains(stacks.String(), "gqlhttp.(*watchedSocket)") && !strings.Contains(stacks.String(), "transport.(*wsConnection)")
			}, time.Minute, 10*time.Millisecond, "all that served it is gone")
			lines := log.with("a subscriber was dropped")
			require.Len(t, lines, 1)
			assert.Contains(t, lines[0], `"key":"`+stuck.Prefix+`"`)
			assert.Contains(t, lines[0], "not taken in time")
			assert.NotContains(t, lines[0], "rains")
		})
	}
}

// stuckEvents subscribes by server-sent events, and reads the first bytes only.
func stuckEvents(t *testing.T, a *App, key string) {
	t.Helper()
	conn, err := narrow(t.Context(), "tcp", strings.TrimPrefix(a.URL(), "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	body := `{"query": "` + large + `"}`
	_, err = fmt.Fprintf(conn, "POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: %s\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", key, len(body), body)
	require.NoError(t, err)
	answer, err := http.ReadResponse(bufio.NewReaderSize(conn, 16), nil) //nolint:bodyclose // which would read all that is left
	require.NoError(t, err)
	require.Equal(t, 200, answer.StatusCode)
	first := make([]byte, 1)
	_, err = answer.Body.Read(first)
	require.NoError(t, err)
	require.Equal(t, ":", string(first), "it listens")
}

// stuckSocket subscribes over a WebSocket, and reads the acknowledgement only.
func stuckSocket(t *testing.T, a *App, key string) {
	t.Helper()
	//nolint:bodyclose // which the library does
	conn, _, err := websocket.Dial(t.Context(), strings.Replace(a.URL(), "http", "ws", 1)+"/graphql", &websocket.DialOptions{
		HTTPClient:   &http.Client{Transport: &http.Transport{DialContext: narrow}},
		Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{"X-Api-Key": {key}},
	})
	require.NoError(t, err)
	conn.SetReadLimit(-1)
	t.Cleanup(func() { _ = conn.CloseNow() })
	s := socket{conn}
	require.NoError(t, wsjson.Write(t.Context(), conn, message{Type: "connection_init"}))
	require.Equal(t, "connection_ack", s.read(t).Type)
	s.subscribe(t, "1", `{"query": "`+large+`"}`)
}

// TestWhoAnswersNoPingIsToldWhy: with a code by which clients of the protocol connect again.
func TestWhoAnswersNoPingIsToldWhy(t *testing.T) {
	a, log, key := listenable(t, func(c *Config) { c.live.Quiet = 50 * time.Millisecond })
	made := key("acme")
	s := dial(t, a, made.Secret)
	err := error(nil)
	pings := 0
	for err == nil {
		var answer message
		if err = wsjson.Read(t.Context(), s.Conn, &answer); err == nil {
			assert.Equal(t, "ping", answer.Type)
			pings++
		}
	}
	assert.Equal(t, websocket.StatusTryAgainLater, websocket.CloseStatus(err), err)
	assert.ErrorContains(t, err, "no ping was answered in time")
	assert.NotZero(t, pings)
	lines := log.with("a subscriber was dropped")
	require.Len(t, lines, 1)
	assert.Contains(t, lines[0], made.Prefix)
}

// TestWhoNeverBeginsIsClosed: a WebSocket over which nothing is said.
func TestWhoNeverBeginsIsClosed(t *testing.T) {
	a := run(t, func(c *Config) { c.live.Init = 50 * time.Millisecond })
	_, _, err := connect(t, a, "").Read(t.Context())
	assert.Equal(t, websocket.StatusProtocolError, websocket.CloseStatus(err), err)
	assert.ErrorContains(t, err, "initialisation timeout")
}

// TestAQuietSubscriptionEndsWithItsKey, though nothing is recorded that it could be told of.
func TestAQuietSubscriptionEndsWithItsKey(t *testing.T) {
	a, _, key := listenable(t, func(c *Config) { c.live.Recheck = 50 * time.Millisecond })
	made := key("acme")
	s := dial(t, a, made.Secret)
	s.subscribe(t, "1", `{"query": "`+listened+`"}`)
	events := eventsOf(t, a, made.Secret)
	_, err := a.Keys.Revoke(t.Context(), made.Prefix, nil)
	require.NoError(t, err)
	text, err := io.ReadAll(events)
	require.NoError(t, err)
	assert.Contains(t, string(text), "UNAUTHENTICATED")
	assert.Contains(t, string(text), "event: complete")
	assert.Contains(t, string(s.heard(t).Payload), "UNAUTHENTICATED")
}

// eventsOf subscribes by server-sent events, and returns once the server listens or refuses.
func eventsOf(t *testing.T, a *App, key string) *bufio.Reader {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.URL()+"/graphql", strings.NewReader(`{"query": "`+listened+`"}`))
	require.NoError(t, err)
	request.Header = http.Header{"X-Api-Key": {key}, "Accept": {"text/event-stream"}, "Content-Type": {"application/json"}}
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	t.Cleanup(func() { _ = answer.Body.Close() })
	require.Equal(t, 200, answer.StatusCode)
	reader := bufio.NewReader(answer.Body)
	_, err = reader.ReadString('\n')
	require.NoError(t, err)
	return reader
}

// TestLongMessagesEndAConnection: no more of one than the limit is read.
func TestLongMessagesEndAConnection(t *testing.T) {
	a := run(t, nil)
	s := dial(t, a, "")
	s.subscribe(t, "fits", `{"query": "`+listened+strings.Repeat(" ", 60<<10)+`"}`)
	s.subscribe(t, "again", `{"query": "subscription {"}`)
	assert.Contains(t, string(s.next(t, "again").Payload), "INVALID_INPUT", "the first was taken, too")
	_ = s.Write(t.Context(), websocket.MessageText, []byte(`{"type": "subscribe", "id": "long", "payload": {"query": "`+strings.Repeat(" ", 64<<10)+`"}}`))
	err := error(nil)
	for err == nil { // until what was under way is answered
		_, _, err = s.Read(t.Context())
	}
	assert.Equal(t, websocket.StatusMessageTooBig, websocket.CloseStatus(err), err)
}

// TestLongRequestsForEventsAreRefused before any of their query is looked at.
func TestLongRequestsForEventsAreRefused(t *testing.T) {
	a := run(t, nil)
	for _, accept := range []string{"text/event-stream", "application/json, text/event-stream"} {
		body := `{"query": "` + listened + strings.Repeat(" ", 64<<10) + `"}`
		status, answer := call{method: "POST", path: "/graphql", body: body, header: http.Header{"Accept": {accept}}}.do(t, a)
		assert.Equal(t, http.StatusRequestEntityTooLarge, status)
		assert.Contains(t, answer, `"LIMIT_EXCEEDED"`)
		assert.Contains(t, answer, "65536 bytes")
	}
}

// fromTheFirst tells at once of what was recorded before, so that whoever hears of it knows that it listens.
const fromTheFirst = `{"query": "subscription { episodeRecorded(after: \"bGl2ZTow\") { cursor } }"}`

// TestSubscriptionsAreLimitedAtTheDoor: 64 with a key and 256 of a tenant, over both transports together.
func TestSubscriptionsAreLimitedAtTheDoor(t *testing.T) {
	a, _, key := listenable(t, func(*Config) {})
	begun := func(tenant string) string {
		secret := key(tenant).Secret
		body := `{"query": "mutation { recordEpisode(input: {id: \"first\", agentId: \"a\", observation: \"It rains.\"}) { episode { id } } }"}`
		status, answer := call{method: "POST", path: "/graphql", body: body, header: http.Header{"X-Api-Key": {secret}}}.do(t, a)
		require.Equal(t, 200, status, answer)
		return secret
	}
	var sockets []socket
	for i := range 4 {
		secret := begun("acme")
		s := dial(t, a, secret)
		for n := range 64 {
			s.subscribe(t, fmt.Sprint(n), fromTheFirst)
		}
		for range 64 {
			assert.Contains(t, string(s.heard(t).Payload), "cursor")
		}
		s.subscribe(t, "65", fromTheFirst)
		refused := string(s.heard(t).Payload)
		assert.Contains(t, refused, "LIMIT_EXCEEDED")
		if i < 3 { // the fourth is the last of the tenant's, too
			assert.Contains(t, refused, "64 subscriptions with this key")
			assert.Contains(t, firstEvent(t, a, secret), "64 subscriptions with this key")
		}
		sockets = append(sockets, s)
	}
	fifth := begun("acme")
	assert.Contains(t, firstEvent(t, a, fifth), "256 subscriptions of this tenant")
	s := dial(t, a, fifth)
	s.subscribe(t, "1", fromTheFirst)
	assert.Contains(t, string(s.heard(t).Payload), "256 subscriptions of this tenant")
	assert.Contains(t, firstEvent(t, a, begun("other")), `"cursor"`, "another tenant has its own")
	require.NoError(t, wsjson.Write(t.Context(), sockets[0].Conn, message{Type: "complete", ID: "0"}))
	require.Eventually(t, func() bool { return strings.Contains(firstEvent(t, a, fifth), `"cursor"`) }, time.Minute, time.Millisecond, "the place of one that ended is free")
}

// heard is the next event or refusal, of whatever subscription.
func (s socket) heard(t *testing.T) message {
	t.Helper()
	for {
		if answer := s.read(t); answer.Type == "next" || answer.Type == "error" {
			return answer
		}
	}
}

// firstEvent subscribes by server-sent events from the first, hears the first event or why it was refused, and leaves.
func firstEvent(t *testing.T, a *App, key string) string {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.URL()+"/graphql", strings.NewReader(fromTheFirst))
	require.NoError(t, err)
	request.Header = http.Header{"X-Api-Key": {key}, "Accept": {"text/event-stream"}, "Content-Type": {"application/json"}}
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "data: {") {
			return lines.Text()
		}
	}
	return ""
}

// TestASubscriptionAsksForOneField, also where both have one name, or where there is one that is skipped.
func TestASubscriptionAsksForOneField(t *testing.T) {
	a, log, key := listenable(t, func(*Config) {})
	s := dial(t, a, key("acme").Secret)
	for i, query := range []string{
		`subscription { a: episodeRecorded { cursor } b: episodeRecorded { cursor } }`,
		`subscription { episodeRecorded @skip(if: true) { cursor } }`,
		`subscription { episodeRecorded { cursor } alert { cursor } }`,
	} {
		body, err := json.Marshal(map[string]string{"query": query})
		require.NoError(t, err)
		s.subscribe(t, fmt.Sprint(i), string(body))
		assert.Contains(t, string(s.heard(t).Payload), `"INVALID_INPUT"`, query)
	}
	assert.Empty(t, log.with(`"ERROR"`))
}
