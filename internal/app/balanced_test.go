package app

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
	"mneme/memory/access"
	"mneme/service/events"
	"mneme/service/keyring"
)

// balanced are servers on one store behind a load balancer that gives each request to the next of them.
type balanced struct {
	url     string
	key     string
	servers []*App
	up      atomic.Int32 // how many of the servers are asked
	turn    atomic.Uint64
}

func balance(t *testing.T, servers int, change func(*Config)) *balanced {
	t.Helper()
	dir := t.TempDir()
	b := &balanced{}
	for range servers {
		b.servers = append(b.servers, run(t, func(c *Config) {
			c.Data, c.RequestsPerKey = dir, 100_000
			if change != nil {
				change(c)
			}
		}))
	}
	b.up.Store(int32(servers))
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		next, err := url.Parse(b.servers[b.turn.Add(1)%uint64(b.up.Load())].URL())
		if err != nil {
			panic(err) // it is ours
		}
		r.SetURL(next)
		r.SetXForwarded()
	}}
	balancer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Else net/http closes what was asked as soon as the answer begins, and where the proxy has not yet read the end of
		// that, it gives up the answer.
		assert.NoError(t, http.NewResponseController(w).EnableFullDuplex())
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(balancer.Close)
	b.url = balancer.URL
	made, err := b.servers[0].Keys.Create(t.Context(), keyring.CreateInput{Tenant: "t-" + strings.ToLower(rand.Text()), Role: access.Writer})
	require.NoError(t, err)
	b.key = made.Secret
	return b
}

// ask sends a query to whichever server comes next.
func (b *balanced) ask(t *testing.T, query string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/graphql", strings.NewReader(mustJSON(map[string]string{"query": query})))
	require.NoError(t, err)
	request.Header = http.Header{"Authorization": {"Bearer " + b.key}, "Content-Type": {"application/json"}}
	answer, err := http.DefaultClient.Do(request)
	if !assert.NoError(t, err) {
		return ""
	}
	defer answer.Body.Close()
	var text json.RawMessage
	assert.NoError(t, json.NewDecoder(answer.Body).Decode(&text))
	assert.NotContains(t, string(text), `"errors"`, query)
	return string(text)
}

// told reads so many events, and gives what they tell of and the last cursor.
func told(t *testing.T, from <-chan string, count int) (keys []string, cursor string) {
	t.Helper()
	for len(keys) < count {
		text, open := <-from
		require.True(t, open, "the subscription ended after %d events", len(keys))
		var event struct {
			Data struct {
				EpisodeRecorded struct {
					Cursor  string
					Episode struct{ ID string }
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(text), &event))
		require.NotEmpty(t, event.Data.EpisodeRecorded.Cursor, text)
		keys, cursor = append(keys, event.Data.EpisodeRecorded.Episode.ID), event.Data.EpisodeRecorded.Cursor
	}
	return keys, cursor
}

// testBalanced goes through the balancer only, as clients do: what was written is read at the next server at once, what
// 64 writers add to is exact, and a subscription goes on at another server when its own is gone.
func testBalanced(t *testing.T, servers int, change func(*Config)) {
	b := balance(t, servers, change)
	subscription := func(after string) string {
		return fmt.Sprintf(`subscription { episodeRecorded(after: %q) { cursor episode { id } } }`, after)
	}
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	bySSE := eventsAt(ctx, t, b.url, b.key, subscription(events.CursorAt(0)))
	bySocket := socketAt(ctx, t, b.url, b.key, subscription(events.CursorAt(0)))

	const writers = 64
	var group sync.WaitGroup
	b.ask(t, `mutation { recordEpisode(input: {id: "first", agentId: "ada", observation: "x", outcome: SUCCESS}) { episode { id } } }`)
	for i := range writers {
		group.Go(func() {
			b.ask(t, fmt.Sprintf(`mutation { submitFeedback(input: {episodeId: "first", type: RATING, rating: %d}) { feedback { id } } }`, 1+i%5))
			b.ask(t, fmt.Sprintf(`mutation { recordEpisode(input: {id: "e%d", agentId: "ada", taskType: "t", observation: "x", outcome: SUCCESS}) { episode { id } } }`, i))
			assert.Contains(t, b.ask(t, fmt.Sprintf(`{ episode(id: "e%d") { id } }`, i)), fmt.Sprintf(`"episode:e%d"`, i), "the next server has what the one before acknowledged")
		})
	}
	group.Wait()
	sum := 0.0
	for i := range writers {
		sum += float64(i%5-2) / 2
	}
	for range servers {
		answer := b.ask(t, `{ episode(id: "first") { aggregateFeedbackScore feedback { totalCount } } learningProfile(agentId: "ada", taskType: "t") { executionsTotal executionsSuccessful } }`)
		assert.JSONEq(t, fmt.Sprintf(`{"data": {"episode": {"aggregateFeedbackScore": %g, "feedback": {"totalCount": 64}}, "learningProfile": {"executionsTotal": 64, "executionsSuccessful": 64}}}`, sum/writers), answer)
	}

	wanted, cursor := told(t, bySSE, writers+1)
	got, _ := told(t, bySocket, writers+1)
	assert.Equal(t, wanted, got, "all hear it in one order")
	assert.Len(t, distinctOf(wanted), writers+1, "and once")

	b.up.Add(-1) // as a balancer does with a server that closes
	require.NoError(t, b.servers[servers-1].Close(context.Background()))
	b.ask(t, `mutation { recordEpisode(input: {id: "last", agentId: "ada", observation: "x", outcome: SUCCESS}) { episode { id } } }`)
	for _, subscribe := range []func(context.Context, *testing.T, string, string, string) <-chan string{eventsAt, socketAt} {
		next, _ := told(t, subscribe(ctx, t, b.url, b.key, subscription(cursor)), 1)
		assert.Equal(t, []string{"episode:last"}, next, "nothing is missing, and nothing comes twice")
	}
}

func distinctOf(keys []string) map[string]bool {
	found := map[string]bool{}
	for _, key := range keys {
		found[key] = true
	}
	return found
}

func TestBalancedServers(t *testing.T) { testBalanced(t, 2, nil) }

func TestBalancedServersOnNeo4j(t *testing.T) {
	server := testneo4j.Reach(t)
	testBalanced(t, 3, func(c *Config) {
		c.Store, c.Neo4j = server.URL, Neo4jLogin{User: server.User, Password: server.Password}
	})
}
