package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/keyring"
)

// holdingPlan is what a run over what a server holds does.
type holdingPlan struct {
	store                string
	tenants, connections int
	settle               time.Duration
	results              string
}

func holdingFlags(args []string) holdingPlan {
	var p holdingPlan
	flags := flag.NewFlagSet("holding", flag.ExitOnError)
	flags.StringVar(&p.store, "store", "sqlite", "sqlite or neo4j; of Neo4j the run starts its own, by Docker or Java")
	flags.IntVar(&p.tenants, "tenants", 0, "how many tenants are asked, an episode each; 0 for 100 on SQLite, which keeps at most 128 files open, and 900 on Neo4j")
	flags.IntVar(&p.connections, "connections", 1000, "how many connections and subscriptions there are, at most 1,000")
	flags.DurationVar(&p.settle, "settle", 20*time.Second, "how long after a change memory is read")
	flags.StringVar(&p.results, "results", "bench/HOLDING.md", "the file of which the section of the store is written")
	_ = flags.Parse(args) // ExitOnError
	if p.tenants == 0 {
		p.tenants = map[string]int{"sqlite": 100, "neo4j": 900}[p.store]
	}
	return p
}

// Subscriptions are of so many tenants, by so many keys each, as a key and a tenant may have so many.
const (
	listeningTenants = 4
	keysOfEach       = 4
)

// holding measures the memory that an idle server takes for each open tenant, connection and subscription.
func holding(ctx context.Context, p holdingPlan) (err error) {
	work, err := os.MkdirTemp("", "mneme-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	binary, err := buildMneme(ctx, work)
	if err != nil {
		return err
	}
	open, known := scaleStores[p.store]
	if !known {
		return fmt.Errorf("the store is %q; it must be sqlite or neo4j", p.store)
	}
	s, err := open(ctx, filepath.Join(work, "data"), false)
	if err != nil {
		return err
	}
	s.svc = service.New(s.backend, service.WithLogger(slog.New(slog.DiscardHandler)))
	defer func() { err = errors.Join(err, s.close(context.WithoutCancel(ctx))) }()
	keys, err := p.fill(ctx, s)
	if err != nil {
		return err
	}
	h := &held{holdingPlan: p, scaled: s, binary: binary, keys: keys}
	var rows strings.Builder
	for _, one := range []struct {
		name  string
		count int
		hold  func(context.Context) error
	}{
		{"a tenant that was asked", p.tenants, h.tenants},
		{"an idle connection", p.connections, h.idle},
		{"a subscription by server-sent events", p.connections, h.byEvents},
		{"a subscription by WebSocket", p.connections, h.bySocket},
	} {
		row, err := h.measure(ctx, one.name, one.count, one.hold)
		if err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
		progress("%s", row)
		fmt.Fprintln(&rows, row)
	}
	return keepSection(p.results, holdingTop, s.title, fmt.Sprintf(`| | how many | resident before | with them | each |
|---|---|---|---|---|
%s
%s`, rows.String(), scaleSurroundings(ctx)))
}

const holdingTop = `# What a server holds while nobody asks

For each line a server is started anew, asked once for each of four tenants, and its resident memory is read 20 s later; then it gets so many of these, and is read
as long after. Nothing happens on the connections, and no event comes. Each tenant has one episode. GOGC=10 has Go collect often, so that what is in use is
measured; as that is usually set, up to twice as much of Go's own memory stays resident after work.

    make bench-holding STORE=sqlite    # or neo4j
`

// fill makes the tenants, with an episode each, and their keys, those of the first tenants for subscriptions first.
func (p holdingPlan) fill(ctx context.Context, s *scaled) (keys []string, err error) {
	ring := keyring.New(s.backend, slog.New(slog.DiscardHandler))
	makeKey := func(tenant string) error {
		made, err := ring.Create(ctx, keyring.CreateInput{Tenant: tenant, Role: access.Reader})
		if err == nil {
			keys = append(keys, made.Secret)
		}
		return err
	}
	for i := range listeningTenants + p.tenants {
		id := fmt.Sprintf("t%d", i)
		asked, done := context.WithCancel(service.WithTenant(ctx, id))
		tenant, err := s.svc.Tenant(asked)
		if err == nil {
			_, err = tenant.Episodes.RecordEpisode(asked, boundary.RecordEpisodeInput{
				AgentID: "ada", Observation: "A customer wants a refund for a kettle that leaks", Outcome: new(memory.OutcomeSuccess),
			}, boundary.Include{})
		}
		done()
		if err = errors.Join(err, makeKey(id)); err != nil {
			return nil, err
		}
	}
	for i := range listeningTenants * (keysOfEach - 1) {
		if err := makeKey(fmt.Sprintf("t%d", i%listeningTenants)); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// metricsKey is the server's own, which opens the metrics.
const metricsKey = "key-of-the-metrics"

// held is a server under measurement.
type held struct {
	holdingPlan
	*scaled
	binary  string
	keys    []string
	server  *process
	closers []io.Closer
}

// measure starts a server and answers the row of what it takes for each of so many.
func (h *held) measure(ctx context.Context, name string, count int, hold func(context.Context) error) (string, error) {
	var err error
	env := append([]string{
		"GOGC=10", "MNEME_LOG_LEVEL=error", "MNEME_MAX_CONNECTIONS=4096", "MNEME_MAX_CONNECTIONS_PER_CLIENT=4096", "MNEME_API_KEY=" + metricsKey,
	}, h.scaled.server...)
	if h.server, err = start(ctx, env, func(address string) []string { return []string{h.binary, "serve", "--listen", address} }); err != nil {
		return "", err
	}
	defer h.server.stop()
	defer func() {
		for _, one := range h.closers {
			_ = one.Close() // the server ends anyway
		}
		h.closers = nil
	}()
	for _, key := range h.keys[:listeningTenants] {
		if err := h.ask(ctx, key); err != nil {
			return "", err
		}
	}
	before, err := h.settled(ctx)
	if err != nil {
		return "", err
	}
	if err := hold(ctx); err != nil {
		return "", err
	}
	after, err := h.settled(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("| %s | %d | %.1f MB | %.1f MB | %.0f kB |", name, count, before, after, 1e3*(after-before)/float64(count)), nil
}

// settled is the resident memory, in MB, once what was done before is over.
func (h *held) settled(ctx context.Context) (float64, error) {
	select {
	case <-time.After(h.settle):
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	return h.server.resident()
}

func (h *held) request(ctx context.Context, key, query string) (*http.Request, error) {
	body := strings.NewReader(`{"query": ` + strconv.Quote(query) + `}`)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.server.url+"/graphql", body)
	if err == nil {
		request.Header = http.Header{"Authorization": {"Bearer " + key}, "Content-Type": {"application/json"}}
	}
	return request, err
}

func (h *held) ask(ctx context.Context, key string) error {
	request, err := h.request(ctx, key, `{ recall(input: {situation: "a leaking kettle"}) { hits { episode { id } } } }`)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && !bytes.Contains(text, []byte(`"episode:`)) {
		err = fmt.Errorf("the recall was answered %s", text)
	}
	return err
}

// tenants asks for each of so many tenants, besides those that were asked at the start.
func (h *held) tenants(ctx context.Context) error {
	for _, key := range h.keys[listeningTenants : listeningTenants+h.holdingPlan.tenants] {
		if err := h.ask(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

// idle opens connections that have been answered and say nothing more.
func (h *held) idle(ctx context.Context) error {
	for range h.connections {
		transport := &http.Transport{}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, h.server.url+"/healthz", nil)
		if err != nil {
			return err
		}
		answer, err := transport.RoundTrip(request)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, answer.Body)
		if err = errors.Join(err, answer.Body.Close()); err != nil {
			return err
		}
		h.closers = append(h.closers, closing(transport.CloseIdleConnections))
	}
	return nil
}

type closing func()

func (c closing) Close() error { c(); return nil }

const subscription = `subscription { episodeRecorded { cursor } }`

// listener is the key of the i-th subscription.
func (h *held) listener(i int) string {
	keys := append(h.keys[:listeningTenants:listeningTenants], h.keys[len(h.keys)-listeningTenants*(keysOfEach-1):]...)
	return keys[i%len(keys)]
}

func (h *held) byEvents(ctx context.Context) error {
	for i := range h.connections {
		request, err := h.request(ctx, h.listener(i), subscription)
		if err != nil {
			return err
		}
		request.Header.Set("Accept", "text/event-stream")
		answer, err := (&http.Transport{}).RoundTrip(request) //nolint:bodyclose // it stays open until the measurement is over
		if err != nil {
			return err
		}
		h.closers = append(h.closers, answer.Body)
		if first, err := bufio.NewReaderSize(answer.Body, 16).ReadString('\n'); err != nil || answer.StatusCode != http.StatusOK {
			return fmt.Errorf("subscription %d was answered %s: %q, %w", i, answer.Status, first, err)
		}
	}
	return h.counted(ctx)
}

func (h *held) bySocket(ctx context.Context) error {
	for i := range h.connections {
		//nolint:bodyclose // which the connection is
		conn, _, err := websocket.Dial(ctx, h.server.url+"/graphql", &websocket.DialOptions{
			HTTPHeader: http.Header{"Authorization": {"Bearer " + h.listener(i)}}, Subprotocols: []string{"graphql-transport-ws"},
		})
		if err != nil {
			return err
		}
		h.closers = append(h.closers, closing(func() { _ = conn.CloseNow() }))
		for _, message := range []map[string]any{
			{"type": "connection_init"}, {"type": "subscribe", "id": "1", "payload": map[string]string{"query": subscription}},
		} {
			if err := wsjson.Write(ctx, conn, message); err != nil {
				return err
			}
		}
		go func() { // answers pings, until the connection ends
			for {
				var message struct{ Type string }
				if wsjson.Read(ctx, conn, &message) != nil {
					return
				}
				if message.Type == "ping" && wsjson.Write(ctx, conn, map[string]string{"type": "pong"}) != nil {
					return
				}
			}
		}()
	}
	return h.counted(ctx)
}

var subscriptions = regexp.MustCompile(`(?m)^mneme_events_subscriptions(?:\{[^}]*\})? (\d+)`)

// counted waits until the server counts all subscriptions.
func (h *held) counted(ctx context.Context) error {
	for last := ""; ; {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, h.server.url+"/metrics", nil)
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Bearer "+metricsKey)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(answer.Body)
		if err = errors.Join(err, answer.Body.Close()); err != nil {
			return err
		}
		found := subscriptions.FindSubmatch(text)
		if found == nil {
			return fmt.Errorf("the metrics count no subscriptions")
		}
		if now := string(found[1]); now == strconv.Itoa(h.connections) {
			return nil
		} else if now != last {
			progress("%s of %d subscriptions", now, h.connections)
			last = now
		}
		select {
		case <-time.After(time.Second / 5):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
