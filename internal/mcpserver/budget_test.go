package mcpserver_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/budget"
	"mneme/internal/inbound"
	"mneme/internal/mcpserver"
)

// bounded serves a memory within a budget.
func bounded(t *testing.T, shared *budget.Budget) http.Handler {
	t.Helper()
	handler := mcpserver.Handler(mcpserver.New(memoryOf(t), mcpserver.Options{Version: "test", Log: slog.New(slog.DiscardHandler)}))
	return inbound.Guard(shared, inbound.DefaultTimes, handler)
}

// allOf takes all of a budget that one request can have, for the moment.
func allOf(t *testing.T, shared *budget.Budget) {
	t.Helper()
	all := shared.Claim()
	require.NoError(t, all.Acquire(t.Context(), 1<<40), "every call gave back what it had")
	all.Release()
}

// Calls share the memory with all other requests: one that needs more than there is now is to be made again.
func TestCallsShareTheMemory(t *testing.T) {
	t.Parallel()
	shared := budget.New(4<<20, 50*time.Millisecond)
	server := httptest.NewServer(bounded(t, shared))
	t.Cleanup(server.Close)
	a := connect(t, &mcp.StreamableClientTransport{Endpoint: server.URL})

	var ids []string
	for i := range 5 {
		id := fmt.Sprintf("o%d", i)
		a.call(t, "record_observation", vars{"id": id, "content": strings.Repeat("word ", 400_000/5)}, nil)
		ids = append(ids, id)
	}
	held := shared.Claim()
	require.NoError(t, held.Acquire(t.Context(), 2<<20))
	a.call(t, "get_observations", vars{"ids": ids[:1]}, nil)
	refused := a.refuse(t, "get_observations", vars{"ids": ids})
	assert.Equal(t, "UNAVAILABLE", refused.Code)
	assert.Contains(t, refused.Send, "in a moment")
	held.Release()
	var answer struct{ Observations []any }
	a.call(t, "get_observations", vars{"ids": ids}, &answer)
	assert.Len(t, answer.Observations, 5)
	allOf(t, shared)
}

// TestWhatACallReadsIsBounded: of long records no more are read than may be answered, and each by itself is.
func TestWhatACallReadsIsBounded(t *testing.T) {
	t.Parallel()
	shared := budget.New(0, time.Minute)
	server := httptest.NewServer(bounded(t, shared))
	t.Cleanup(server.Close)
	a := connect(t, &mcp.StreamableClientTransport{Endpoint: server.URL})
	var ids []string
	for i := range 20 {
		id := fmt.Sprintf("o%d", i)
		a.call(t, "record_observation", vars{"id": id, "content": strings.Repeat("word ", 1_000_000/5)}, nil)
		ids = append(ids, id)
	}
	refused := a.refuse(t, "get_observations", vars{"ids": ids})
	assert.Equal(t, "LIMIT_EXCEEDED", refused.Code)
	assert.Equal(t, "The same with fewer ids.", refused.Send)
	a.call(t, "get_observations", vars{"ids": ids[:1]}, nil)
	allOf(t, shared)
}

// long is a text of one word, which takes room and little time.
var long = strings.Repeat("x", 900_000)

// Long episodes keep nobody from being told of them in short.
func TestLongEpisodesAreToldInShort(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	for i := range 5 {
		a.call(t, "record_episode", vars{
			"id": fmt.Sprint("e", i), "agentId": "a", "taskType": "t", "observation": "A kettle leaks", "result": long, "thoughts": []string{long, long, long},
			"outcome": "SUCCESS",
		}, nil)
	}
	var recalled struct{ Hits []struct{ LeftOut string } }
	a.call(t, "recall", vars{"situation": "kettle", "full": true, "variants": "SEPARATE"}, &recalled)
	require.Len(t, recalled.Hits, 5)
	assert.Empty(t, recalled.Hits[1].LeftOut)
	assert.Contains(t, recalled.Hits[4].LeftOut, "thoughts")
	a.call(t, "search", vars{"query": "kettle"}, nil)
	a.call(t, "neighbourhood", vars{"id": "agent:a"}, nil)
	a.call(t, "select_agent", vars{"taskType": "t", "situation": "kettle"}, nil)
	_, err := a.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "lessons", Arguments: map[string]string{"situation": "kettle"}})
	require.NoError(t, err)
}

// What is kept is answered as such, however much there was before.
func TestWhatIsRecordedIsAnswered(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	a.call(t, "memoir_create", vars{"id": "m", "name": "m"}, nil)
	a.call(t, "memoir_add_concept", vars{"id": "k", "memoirId": "m", "name": "k", "content": "first"}, nil)
	for i := range 20 {
		a.call(t, "record_verdict", vars{
			"runId": "r", "sectionId": "s", "sectionType": "t", "judgeId": "j", "iteration": i, "status": "SOFT_FAIL", "plan": long,
		}, nil)
	}
	for i := range 5 {
		a.call(t, "memoir_refine", vars{"id": "k", "content": fmt.Sprint(i, long)}, nil)
	}
	refused := a.refuse(t, "memoir_refine", vars{"id": "k", "content": "more than is kept of what it said"})
	assert.Equal(t, "LIMIT_EXCEEDED", refused.Code)
	a.call(t, "memoir_refine", vars{"id": "k", "content": "purged", "purge": true}, nil)
	a.call(t, "guidance", vars{"runId": "r", "sectionId": "s", "sectionType": "t"}, nil)
}

// stuck is the answer of a client that takes none of it until its time is over.
type stuck struct {
	*httptest.ResponseRecorder
	begun, ended chan struct{}
	until        time.Time
}

func (s *stuck) Write([]byte) (int, error) {
	close(s.begun)
	<-s.ended
	return 0, os.ErrDeadlineExceeded
}

func (s *stuck) SetWriteDeadline(until time.Time) error {
	s.until = until
	return nil
}

// An answer keeps its part of the memory until its client takes it, for which there is a time.
func TestAnswersThatAreNotTakenStayInTheMemory(t *testing.T) {
	t.Parallel()
	shared := budget.New(8<<20, 50*time.Millisecond)
	handler := bounded(t, shared)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	a := connect(t, &mcp.StreamableClientTransport{Endpoint: server.URL})
	for i := range 5 { // more than a small request has
		a.call(t, "record_observation", vars{"id": fmt.Sprintf("o%d", i), "content": strings.Repeat("word ", 400_000/5)}, nil)
	}
	client := &stuck{ResponseRecorder: httptest.NewRecorder(), begun: make(chan struct{}), ended: make(chan struct{})}
	var done sync.WaitGroup
	done.Go(func() {
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_observations","arguments":{"ids":["o0","o1","o2","o3","o4"]}}}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		handler.ServeHTTP(client, r)
	})
	<-client.begun
	assert.False(t, client.until.IsZero())
	require.ErrorIs(t, shared.Claim().Acquire(t.Context(), 6<<20), budget.ErrBusy, "the answer is in the memory")
	close(client.ended)
	done.Wait()
	allOf(t, shared)
}
