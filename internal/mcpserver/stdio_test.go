package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each request gets an answer, also where several that are under way have one id.
func TestOneIDOfSeveralRequests(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	begun, finish := make(chan struct{}), make(chan struct{})
	wait := func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		begun <- struct{}{}
		<-finish
		return &mcp.CallToolResult{}, nil, nil
	}
	mcp.AddTool(server, &mcp.Tool{Name: "wait"}, wait)
	in, send := io.Pipe()
	receive, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- Serve(t.Context(), server, in, out) }()
	answers := bufio.NewReader(receive)
	ask := func(line string) {
		_, err := io.WriteString(send, line+"\n")
		require.NoError(t, err)
	}
	answer := func() (id string, code int) {
		line, err := answers.ReadBytes('\n')
		require.NoError(t, err)
		var message struct {
			ID    json.RawMessage
			Error struct{ Code int }
		}
		require.NoError(t, json.Unmarshal(line, &message))
		return string(message.ID), message.Error.Code
	}
	const call = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"wait","arguments":{}}}`
	ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	answer()
	ask(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	ask(call)
	<-begun
	for range 2 {
		ask(call)
		id, code := answer()
		assert.Equal(t, "7", id)
		assert.Equal(t, -32600, code)
	}
	ask(`{"jsonrpc":"2.0","id":"7","method":"ping"}`) // is another id
	id, code := answer()
	assert.Equal(t, `"7"`, id)
	assert.Zero(t, code)
	for range 2 { // who has the answer may use the id again
		finish <- struct{}{}
		id, code = answer()
		assert.Equal(t, "7", id)
		assert.Zero(t, code)
		ask(call)
		<-begun
	}
	require.NoError(t, send.Close())
	finish <- struct{}{}
	id, _ = answer()
	assert.Equal(t, "7", id, "also after the end of the input")
	require.NoError(t, <-ended, "no answer is awaited that does not come")
}
