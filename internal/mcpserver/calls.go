package mcpserver

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mneme/service"
)

// calls bounds the time of every call, writes it to the log for debugging, and keeps a panic to the call
// that it happens in.
type calls struct{ log *slog.Logger }

func (c calls) around(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (result mcp.Result, err error) {
		ctx, cancel := context.WithTimeout(ctx, callTime)
		defer cancel()
		ctx, _, done := service.WithBudget(ctx, mostOfACall)
		defer done()
		began := time.Now()
		defer func() {
			if panicked := recover(); panicked != nil {
				c.log.ErrorContext(ctx, "mcp call failed", "method", method, "error", fmt.Sprintf("panic: %v\n%s", panicked, debug.Stack()))
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
			}
			c.log.DebugContext(ctx, "mcp call", "method", method, "took", time.Since(began))
		}()
		return next(ctx, method, request)
	}
}

// mostOfACall is what a call may read: as much as it would take to answer it. One record by itself is always read.
var mostOfACall = service.Limits{Records: 50_000, ReadBytes: 16 << 20}
