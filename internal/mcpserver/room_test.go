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

	"mneme/internal/mcpserver"
	"mneme/internal/room"
)

// Calls share the room with all other requests: one that needs more than its place waits until it can have all.
func TestCallsShareTheRoom(t *testing.T) {
	shared := room.New(3<<20, 50*time.Millisecond)
	server := httptest.NewServer(mcpserver.Handler(mcpserver.New(memoryOf(t), mcpserver.Options{
		Version: "test", Log: slog.New(slog.DiscardHandler), Room: shared,
	})))
	t.Cleanup(server.Close)
	a := connect(t, &mcp.StreamableClientTransport{Endpoint: server.URL})

	var ids []string
	for i := range 5 {
		id := fmt.Sprintf("o%d", i)
		a.call(t, "record_observation", vars{"id": id, "content": strings.Repeat("word ", 400_000/5)}, nil)
		ids = append(ids, id)
	}
	held, err := shared.Enter(t.Context(), 2<<20)
	require.NoError(t, err)
	a.call(t, "get_observations", vars{"ids": ids[:1]}, nil)
	refused := a.refuse(t, "get_observations", vars{"ids": ids})
	assert.Equal(t, "UNAVAILABLE", refused.Code)
	assert.Contains(t, refused.Send, "in a moment")
	held.Leave()
	var answer struct{ Observations []any }
	a.call(t, "get_observations", vars{"ids": ids}, &answer)
	assert.Len(t, answer.Observations, 5)
	all, err := shared.Enter(t.Context(), 3<<20)
	require.NoError(t, err, "every call gave back what it had")
	all.Leave()
}

// TestWhatACallReadsIsBounded: of long records no more are read than may be answered, and each by itself is.
func TestWhatACallReadsIsBounded(t *testing.T) {
	shared := room.New(64<<20, time.Minute)
	a := inMemoryWith(t, memoryOf(t), mcpserver.Options{Version: "test", Log: slog.New(slog.DiscardHandler), Room: shared})
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
	all, err := shared.Enter(t.Context(), 64<<20)
	require.NoError(t, err, "every call gave back what it had")
	all.Leave()
}

// long is a text of one word, which takes room and little time.
var long = strings.Repeat("x", 900_000)

// A call that would read too much says which of its arguments would have it read less.
func TestWhatToMakeSmallerWhereTooMuchIsRead(t *testing.T) {
	a := inMemory(t)
	for i := range 5 {
		a.call(t, "record_episode", vars{
			"id": fmt.Sprint("e", i), "agentId": "a", "taskType": "t", "observation": "A kettle leaks", "result": long, "thoughts": []string{long, long, long},
			"outcome": "SUCCESS",
		}, nil)
	}
	for tool, arguments := range map[string]vars{
		"recall":        {"situation": "kettle"},
		"search":        {"query": "kettle"},
		"neighbourhood": {"id": "agent:a"},
	} {
		refused := a.refuse(t, tool, arguments)
		assert.Equal(t, "LIMIT_EXCEEDED", refused.Code, tool)
		smaller := map[string]string{
			"recall":        "The same with a smaller topK or includeCanvas: false.",
			"search":        "The same with a smaller first.",
			"neighbourhood": "The same with a smaller first or a smaller depth.",
		}
		assert.Equal(t, smaller[tool], refused.Send)
	}
	a.call(t, "recall", vars{"situation": "kettle", "topK": 2}, nil)
	a.call(t, "search", vars{"query": "kettle", "first": 2}, nil)
	a.call(t, "neighbourhood", vars{"id": "agent:a", "first": 2}, nil)
	a.call(t, "select_agent", vars{"taskType": "t", "situation": "kettle"}, nil)
	_, err := a.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "lessons", Arguments: map[string]string{"situation": "kettle"}})
	require.ErrorContains(t, err, "the tool recall takes a smaller topK")
}

// What is kept is answered as such, however much there was before.
func TestWhatIsRecordedIsAnswered(t *testing.T) {
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

// stuck is the answer of a client that takes none of it.
type stuck struct {
	*httptest.ResponseRecorder
	begun, ended chan struct{}
	once         sync.Once
}

func (s *stuck) Write([]byte) (int, error) {
	close(s.begun)
	<-s.ended
	return 0, os.ErrDeadlineExceeded
}

func (s *stuck) SetWriteDeadline(time.Time) error {
	s.once.Do(func() { close(s.ended) })
	return nil
}

// An answer keeps its part of the room until its client takes it, or is broken off where others wait for that.
func TestAnswersThatAreNotTakenStayInTheRoom(t *testing.T) {
	const bytes = 3 << 20
	shared := room.New(bytes, time.Minute)
	handler := mcpserver.Handler(mcpserver.New(memoryOf(t), mcpserver.Options{
		Version: "test", Log: slog.New(slog.DiscardHandler), Room: shared,
	}))
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	a := connect(t, &mcp.StreamableClientTransport{Endpoint: server.URL})
	for i := range 5 { // more than a place is for
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
	all, err := shared.Enter(t.Context(), bytes)
	require.NoError(t, err)
	all.Leave()
	select {
	case <-client.ended:
	default:
		assert.Fail(t, "the answer was outside of the room")
		_ = client.SetWriteDeadline(time.Time{})
	}
	done.Wait()
}
