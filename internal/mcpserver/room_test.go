package mcpserver_test

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
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
