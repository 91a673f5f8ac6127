package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mneme/internal/budget"
	"mneme/internal/inbound"
	"mneme/internal/telemetry"
	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
)

// tools lists every tool, in the order in which an agent comes to need them.
var tools = []registrar{
	recallTool, nextStepsTool, recordEpisodeTool, concludeEpisodeTool, captureRunTool, recordCanvasActionsTool, submitFeedbackTool,
	feedbackRecordTool, feedbackSearchTool, feedbackStatsTool,
	recordObservationTool, searchObservationsTool, getObservationsTool,
	memoirCreateTool, memoirListTool, memoirAddConceptTool, memoirRefineTool, memoirLinkTool, memoirSearchTool, memoirInspectTool,
	searchTool, neighbourhoodTool,
	selectAgentTool, recordExecutionTool, recordVerdictTool, completeRunTool, guidanceTool, judgeTendenciesTool,
	canvasInsightsTool, graduationTool, trendsTool,
	backfillTool, consolidateTool, forgetRecordTool,
}

// Which tools are served: all, or those by which an agent learns from its own work and keeps what it knows, told
// briefly, for hosts whose models choose badly from many.
const (
	AllTools  = "all"
	CoreTools = "core"
)

// The instructions tell a model what the server is for; hosts put them before the tools. The second half is of tools
// that are not core.
const (
	instructions        = `Mneme is a memory of work that outlives the conversation. Before a task, call recall with the situation: it answers similar past work with its outcome, the lessons in it and what people corrected. In the middle of it, next_steps tells what worked next. After the task, call record_episode with what happened and how it ended; where the end is not known yet, conclude_episode later. When a person reacts or corrects you, call submit_feedback, or feedback_record for what is true in general. Keep single facts with record_observation, and connected knowledge as concepts of a memoir. Searches answer short hits; memoir_inspect and the resources mneme://kind/key give the whole record. An id is kind:key, such as episode:run-7. A failed call says in "send" what to send instead.`
	furtherInstructions = ` Before handing a task to another agent, call select_agent; where work is judged in sections, call guidance before each, record_verdict after, and complete_run at the end.`
)

// The limits of one request.
const (
	// callTime is how long a call may take.
	callTime = 30 * time.Second
	// maxMessage is the longest message in bytes, over HTTP and over standard input.
	maxMessage = inbound.MaxBody
)

// Options are what a server is told beside its service.
type Options struct {
	// Version is the build's, for clients to show.
	Version string
	// Tools is AllTools, which is the default, or CoreTools.
	Tools string
	// Log is where faults of the server are written; the default is slog's.
	Log *slog.Logger
	// Signals measure calls; the default is telemetry.Silent.
	Signals *telemetry.Signals
}

// New makes the server of a memory. It keeps no state of its sessions, so one serves every client, and
// whose memory a call works on is what its context says (see service.WithTenant).
func New(svc *service.Service, options Options) *mcp.Server {
	log := cmp.Or(options.Log, slog.Default())
	told := instructions
	if options.Tools != CoreTools {
		told += furtherInstructions
	}
	server := mcp.NewServer(
		&mcp.Implementation{Name: "mneme", Title: "Mneme, the memory of agents", Version: options.Version},
		&mcp.ServerOptions{
			Instructions: told,
			// Neither the tools nor the prompt ever change, and there is no logging to the client.
			Capabilities: &mcp.ServerCapabilities{
				Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{}, Resources: &mcp.ResourceCapabilities{},
			},
			// What is remembered is nobody else's to keep; the protocol's default is public.
			SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
			// The protocol's own steps are no news to an operator; calls says what went wrong.
			Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
		},
	)
	d := backend{service: svc, log: log, rules: map[string]access.Rule{}, signals: cmp.Or(options.Signals, telemetry.Silent())}
	for _, tool := range tools {
		if of := tool.traits(); of.core || options.Tools != CoreTools {
			tool.add(server, d, options.Tools == CoreTools)
			d.rules[of.name] = of.rule
		}
	}
	server.AddReceivingMiddleware(d.around)
	d.addResources(server)
	d.addPrompts(server)
	return server
}

// backend is what tools, resources and prompts are made with.
type backend struct {
	service *service.Service
	log     *slog.Logger
	rules   map[string]access.Rule // of the tools that are served
	signals *telemetry.Signals
}

// around asks whether a call may be made, bounds the time and the memory of every one, writes it to the log for
// debugging, and keeps a panic to the call that it happens in.
func (d backend) around(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (result mcp.Result, err error) {
		ctx, cancel := context.WithTimeout(ctx, callTime)
		defer cancel()
		began := time.Now()
		ctx, measured := d.signals.Operation(ctx, telemetry.MCP)
		measured.Is(d.named(method, request))
		defer func() {
			if panicked := recover(); panicked != nil {
				d.log.ErrorContext(ctx, "mcp call failed", "method", method, "error", fmt.Sprintf("panic: %v\n%s", panicked, debug.Stack()))
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
				measured.Failed(memory.CodeInternal)
			} else if err != nil { // by the protocol, where no other is told
				measured.Failed(memory.CodeInvalidInput)
			}
			measured.End()
			d.log.DebugContext(ctx, "mcp call", "method", method, "took", time.Since(began))
		}()
		return d.admitted(ctx, next, method, request)
	}
}

// methods are those of the protocol that clients call.
var methods = map[string]bool{
	"initialize": true, "notifications/initialized": true, "notifications/cancelled": true, "ping": true, "tools/list": true,
	"resources/list": true, "resources/templates/list": true, "resources/read": true, "prompts/list": true, "prompts/get": true,
}

// named is what a call is of, by what there is: a tool, or else a method of the protocol.
func (d backend) named(method string, request mcp.Request) (kind, name string) {
	if call, ok := request.(*mcp.CallToolRequest); ok {
		if _, there := d.rules[call.Params.Name]; there {
			return "tool", call.Params.Name
		}
		return "tool", telemetry.Unknown
	}
	if methods[method] {
		return "method", method
	}
	return "method", telemetry.Unknown
}

// admitted answers a call once there is memory for it.
func (d backend) admitted(ctx context.Context, next mcp.MethodHandler, method string, request mcp.Request) (mcp.Result, error) {
	name, size := method, 0
	call, isTool := request.(*mcp.CallToolRequest)
	if isTool {
		name, size = call.Params.Name, len(call.Params.Arguments)
	}
	claim := budget.Of(ctx)
	err := d.mayCall(ctx, method, request)
	if err == nil {
		err = claim.Acquire(ctx, inbound.PerByte*int64(size))
	}
	switch {
	case err != nil && isTool:
		return refusal(d.faultOf(ctx, name, nil, err)), nil
	case err != nil:
		return nil, d.protocolError(ctx, name, err)
	}
	ctx, spent, done := service.WithBudget(ctx, maxOfACall)
	defer done()
	spent.Grow(claim.Has(), claim.Grow)
	result, err := next(ctx, method, request)
	return d.offered(ctx, result), d.unnamed(err) // where the budget ended it, the answer says so
}

// maxOfACall is what a call may read: as much as it would take to answer it. One record by itself is always read.
var maxOfACall = service.Limits{Records: 50_000, ReadBytes: 16 << 20, Summed: service.MaxSummed}
