package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync/atomic"
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

// A client that takes no answer is read no further, and keeps the server from ending neither when it is told to nor
// when the input ends.
func TestAnswersThatNobodyTakes(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(cancel func(), in io.Closer){
		"told to end":  func(cancel func(), _ io.Closer) { cancel() },
		"closed input": func(_ func(), in io.Closer) { _ = in.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, send := io.Pipe()
			receive, out := io.Pipe()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error, 1)
			go func() {
				ended <- Serve(ctx, mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil), in, out)
			}()
			t.Cleanup(func() { _ = receive.Close() })
			_, err := io.WriteString(send, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`+"\n")
			require.NoError(t, err)
			_, err = bufio.NewReader(receive).ReadBytes('\n')
			require.NoError(t, err)
			const asked = 100_000
			var sent atomic.Int32
			go func() {
				for id := 1; id <= asked; id++ {
					if _, err := fmt.Fprintf(send, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", id); err != nil {
						return
					}
					sent.Add(1)
				}
			}()
			before := int32(-1)
			require.Eventually(t, func() bool {
				now := sent.Load()
				still := now == before
				before = now
				return still && now > maxUnderWay
			}, time.Minute, 200*time.Millisecond)
			require.Less(t, before, int32(asked))
			end(cancel, send)
			if err := <-ended; err != nil {
				require.ErrorIs(t, err, context.Canceled)
			}
		})
	}
}
