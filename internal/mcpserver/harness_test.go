package mcpserver_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/mcpserver"
	"mneme/internal/redact"
	"mneme/service"
	"mneme/store/sqlite"
)

// now is the time at which the tests take place.
var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

type vars map[string]any

// memoryOf is a service over a store of its own, at one time.
func memoryOf(t *testing.T) *service.Service {
	t.Helper()
	return memoryBy(t, func() time.Time { return now })
}

// memoryBy is memoryOf by a clock.
func memoryBy(t *testing.T, clock func() time.Time) *service.Service {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	svc := service.New(backend, service.WithClock(clock), service.WithRedaction(redact.Rules()))
	t.Cleanup(func() {
		assert.NoError(t, svc.Close(context.Background()))
		assert.NoError(t, backend.Close(context.Background()))
	})
	return svc
}

func serverOf(t *testing.T, svc *service.Service) *mcp.Server {
	t.Helper()
	return mcpserver.New(svc, options)
}

// options are what the servers of tests are told.
var options = mcpserver.Options{Version: "test", Log: slog.New(slog.DiscardHandler)}

// agent is a client of the SDK with a session on a server.
type agent struct {
	*mcp.ClientSession
	outputs map[string]*jsonschema.Resolved
}

func connect(t *testing.T, transport mcp.Transport) *agent {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	require.NoError(t, err)
	t.Cleanup(func() { session.Close() })
	a := &agent{ClientSession: session, outputs: map[string]*jsonschema.Resolved{}}
	for _, tool := range a.tools(t) {
		a.outputs[tool.Name] = resolved(t, tool.OutputSchema)
	}
	return a
}

func resolved(t *testing.T, schema any) *jsonschema.Resolved {
	t.Helper()
	text, err := json.Marshal(schema)
	require.NoError(t, err)
	var parsed jsonschema.Schema
	require.NoError(t, json.Unmarshal(text, &parsed))
	resolved, err := parsed.Resolve(nil)
	require.NoError(t, err)
	return resolved
}

// inMemory connects to a server of its own without any wire.
func inMemory(t *testing.T) *agent {
	t.Helper()
	return inMemoryOf(t, memoryOf(t))
}

// inMemoryOf connects to a server of a memory without any wire.
func inMemoryOf(t *testing.T, svc *service.Service) *agent {
	t.Helper()
	return inMemoryWith(t, svc, options)
}

// inMemoryWith is inMemoryOf for a server that is told otherwise.
func inMemoryWith(t *testing.T, svc *service.Service, options mcpserver.Options) *agent {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	session, err := mcpserver.New(svc, options).Connect(t.Context(), there, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Wait() }) // what the client's end was is no fault
	return connect(t, here)
}

// overHTTP connects to a server of its own over streamable HTTP.
func overHTTP(t *testing.T) *agent {
	t.Helper()
	server := httptest.NewServer(mcpserver.Handler(serverOf(t, memoryOf(t))))
	t.Cleanup(server.Close)
	return connect(t, &mcp.StreamableClientTransport{Endpoint: server.URL})
}

func (a *agent) tools(t *testing.T) []*mcp.Tool {
	t.Helper()
	list, err := a.ListTools(t.Context(), nil)
	require.NoError(t, err)
	return list.Tools
}

// call makes a call that must succeed, holds the answer against the tool's output schema, and reads it.
func (a *agent) call(t *testing.T, name string, arguments vars, answer any) {
	t.Helper()
	result, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	require.NoError(t, err)
	text := textOf(t, result)
	require.False(t, result.IsError, text)
	assert.NoError(t, a.outputs[name].Validate(result.StructuredContent), text)
	structured, err := json.Marshal(result.StructuredContent)
	require.NoError(t, err)
	assert.JSONEq(t, string(structured), text, "clients without structured content get the same")
	if answer != nil {
		require.NoError(t, json.Unmarshal([]byte(text), answer))
	}
}

// fault is an error as a model reads it.
type fault struct{ Code, Field, Message, Send string }

// refuse makes a call that must fail, and gives its error.
func (a *agent) refuse(t *testing.T, name string, arguments any) fault {
	t.Helper()
	result, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	require.NoError(t, err)
	text := textOf(t, result)
	require.True(t, result.IsError, text)
	assert.Nil(t, result.StructuredContent, "it would not be of the tool's output schema")
	var f fault
	require.NoError(t, json.Unmarshal([]byte(text), &f), text)
	return f
}

func textOf(t *testing.T, result *mcp.CallToolResult) string {
	t.Helper()
	require.NotEmpty(t, result.Content) // after it stands what is left out, and what is not known
	content, ok := result.Content[0].(*mcp.TextContent)
	require.True(t, ok)
	return content.Text
}

// read reads a resource that must be there.
func (a *agent) read(t *testing.T, uri string) string {
	t.Helper()
	result, err := a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	require.NoError(t, err, uri)
	require.Len(t, result.Contents, 1)
	assert.Equal(t, "application/json", result.Contents[0].MIMEType)
	return result.Contents[0].Text
}

// everyDoor runs a test with a client in memory and with one over HTTP, on a memory each.
func everyDoor(t *testing.T, test func(*testing.T, *agent)) {
	t.Run("in memory", func(t *testing.T) { test(t, inMemory(t)) })
	t.Run("over HTTP", func(t *testing.T) { test(t, overHTTP(t)) })
}
