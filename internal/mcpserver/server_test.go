package mcpserver

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/telemetry"
	"mneme/memory"
	"mneme/service"
	"mneme/store"
)

func TestAPanicStaysInItsCall(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	around := backend{log: slog.New(slog.NewTextHandler(&log, nil)), signals: telemetry.Silent()}.around(func(ctx context.Context, _ string, _ mcp.Request) (mcp.Result, error) {
		_, bounded := ctx.Deadline()
		assert.True(t, bounded)
		assert.NotNil(t, service.BudgetOf(ctx), "what is read is counted")
		panic("the secret cause")
	})
	_, err := around(t.Context(), "tools/call", nil)
	var wire *jsonrpc.Error
	require.ErrorAs(t, err, &wire)
	assert.Equal(t, int64(jsonrpc.CodeInternalError), wire.Code)
	assert.NotContains(t, wire.Message, "secret")
	assert.Contains(t, log.String(), "the secret cause")
}

// What ends a call for having read too much is what its answer says, whatever else failed because of it.
func TestACallThatReadsTooMuch(t *testing.T) {
	t.Parallel()
	d := backend{service: service.New(nil), log: slog.New(slog.DiscardHandler), signals: telemetry.Silent()}
	around := d.around(func(ctx context.Context, _ string, _ mcp.Request) (mcp.Result, error) {
		assert.Error(t, service.BudgetOf(ctx).Read(maxOfACall.Records+1, store.Texts{}))
		return refusal(d.faultOf(ctx, "recall", nil, ctx.Err())), nil
	})
	result, err := around(t.Context(), "tools/call", &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "recall"}})
	require.NoError(t, err)
	text, ok := result.(*mcp.CallToolResult).Content[0].(*mcp.TextContent)
	require.True(t, ok)
	assert.Contains(t, text.Text, `"code":"LIMIT_EXCEEDED"`)
}

// A call that changed something before it took too much says so, since the same again would do it twice.
func TestACallThatTakesTooMuchOnceItWrote(t *testing.T) {
	t.Parallel()
	d := backend{service: service.New(nil), log: slog.New(slog.DiscardHandler)}
	ctx, budget, done := service.WithBudget(t.Context(), maxOfACall)
	defer done()
	require.Error(t, budget.Read(maxOfACall.Records+1, store.Texts{}))
	wrote := recordVerdictTool.faultOf(ctx, d, nil, ctx.Err())
	assert.Equal(t, memory.CodeLimitExceeded, wrote.Code)
	assert.Contains(t, wrote.Message, "what the call wrote until then is kept")
	assert.Contains(t, wrote.Send, "Nothing that is kept already")
	assert.NotContains(t, recallTool.faultOf(ctx, d, nil, ctx.Err()).Message, "kept")
}

func TestFaultsOfTheServer(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		err    error
		code   memory.Code
		send   string
		logged bool
	}{
		"unforeseen":      {errors.New("secret"), memory.CodeInternal, "Nothing for now", true},
		"internal":        {&memory.Error{Code: memory.CodeInternal, Message: "internal error", Cause: errors.New("secret")}, memory.CodeInternal, "Nothing for now", true},
		"took too long":   {context.DeadlineExceeded, memory.CodeLimitExceeded, "", false},
		"given up":        {context.Canceled, memory.CodeUnavailable, "in a moment", false},
		"store is away":   {&memory.Error{Code: memory.CodeUnavailable, Message: "the store cannot be reached"}, memory.CodeUnavailable, "in a moment", false},
		"field elsewhere": {memory.Invalid("cluster.7", "is odd"), memory.CodeInvalidInput, "", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var log strings.Builder
			d := backend{service: service.New(nil), log: slog.New(slog.NewTextHandler(&log, nil))}
			f := d.faultOf(t.Context(), "recall", schemaOf[recallInput](known), tt.err)
			assert.Equal(t, tt.code, f.Code)
			assert.NotContains(t, f.Message, "secret")
			assert.Contains(t, f.Send, tt.send)
			assert.Equal(t, tt.logged, strings.Contains(log.String(), "secret"))
			if tt.logged {
				_, incident, _ := strings.Cut(f.Message, "under ")
				assert.Contains(t, log.String(), incident, "the two can be brought together")
			}
		})
	}
}
