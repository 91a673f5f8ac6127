package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"

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
	t.Cleanup(func() { _ = receive.Close() })
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
	for range 2 * maxUnderWay {
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

// A client that takes no answer is read no further, and does not keep the server from ending when it is told to.
func TestAnswersThatNobodyTakes(t *testing.T) {
	t.Parallel()
	in, send := io.Pipe()
	receive, out := io.Pipe()
	t.Cleanup(func() { _ = receive.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(ctx, mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil), in, out)
	}()
	const asked = 10_000
	sent := make(chan int)
	go func() {
		for id := range asked {
			if _, err := fmt.Fprintf(send, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", id); err != nil {
				return
			}
			sent <- id
		}
	}()
	for last, still := 0, false; !still; {
		select {
		case last = <-sent:
		case <-time.After(time.Second):
			require.Greater(t, last, maxUnderWay)
			still = true
		}
	}
	cancel()
	select {
	case err := <-ended:
		require.ErrorIs(t, err, context.Canceled)
	case <-time.After(10 * time.Second):
		t.Fatal("it goes on")
	}
}
