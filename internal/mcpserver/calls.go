package mcpserver

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mneme/internal/room"
	"mneme/service"
)

// calls bounds the time and the memory of every call, writes it to the log for debugging, and keeps a panic to the
// call that it happens in.
type calls struct {
	door  door
	room  *room.Room
	reads map[string]bool // the tools that change nothing
}

func (c calls) around(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (result mcp.Result, err error) {
		ctx, cancel := context.WithTimeout(ctx, callTime)
		defer cancel()
		began := time.Now()
		defer func() {
			if panicked := recover(); panicked != nil {
				c.door.log.ErrorContext(ctx, "mcp call failed", "method", method, "error", fmt.Sprintf("panic: %v\n%s", panicked, debug.Stack()))
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
			}
			c.door.log.DebugContext(ctx, "mcp call", "method", method, "took", time.Since(began))
		}()
		return c.admitted(ctx, next, method, request)
	}
}

// admitted answers a call once there is room for it.
func (c calls) admitted(ctx context.Context, next mcp.MethodHandler, method string, request mcp.Request) (result mcp.Result, err error) {
	name, size, repeatable := method, 0, true
	call, isTool := request.(*mcp.CallToolRequest)
	if isTool {
		name, size, repeatable = call.Params.Name, len(call.Params.Arguments), c.reads[call.Params.Name]
	}
	answered := false
	pass, fault := c.room.Within(ctx, room.PerBodyByte*int64(size), repeatable, service.ErrNoRoom, func(pass *room.Pass) error {
		ctx, budget, done := service.WithBudget(ctx, mostOfACall)
		defer done()
		budget.Grow(pass.Has(), pass.Grow)
		result, err = next(ctx, method, request)
		answered = true
		return budget.Err()
	})
	defer leave(ctx, pass)
	switch {
	case answered: // where the budget ended it, the answer says so
		return result, c.door.unnamed(err)
	case isTool:
		return refusal(c.door.faultOf(ctx, name, nil, fault)), nil
	default:
		return nil, c.door.protocolError(ctx, name, fault)
	}
}

// mostOfACall is what a call may read: as much as it would take to answer it. One record by itself is always read.
var mostOfACall = service.Limits{Records: 50_000, ReadBytes: 16 << 20, Summed: service.MostSummed}
