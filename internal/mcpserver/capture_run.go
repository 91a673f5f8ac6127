package mcpserver

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/service"
)

var captureRunTool = tool[captureRunInput, episodeOutput]{
	name: "capture_run", title: "Capture a finished run", hints: settles,
	about: "Makes an episode of a finished run's event log, which is kept whole. The episode's key is the runId, so the same log again is the same episode.",
	run: func(ctx context.Context, tenant *service.Tenant, in captureRunInput) (episodeOutput, error) {
		return recorded(tenant.Episodes.CaptureRun(ctx, service.CaptureRunInput(in), service.Include{}))
	},
}

// captureRunInput describes service.CaptureRunInput.
type captureRunInput struct {
	RunID        string               `json:"runId" jsonschema:"The run's key, which the episode gets, 1 to 512 bytes."`
	AgentID      string               `json:"agentId" jsonschema:"Who did the work, by id or key."`
	WorkflowName *string              `json:"workflowName,omitempty" jsonschema:"The workflow's name, which becomes the task type."`
	SessionID    *string              `json:"sessionId,omitempty" jsonschema:"The conversation it belongs to, by id or key."`
	Events       []service.EventInput `json:"events" jsonschema:"The log, in order, with workflow_completed or workflow_failed at its end."`
}

// eventInput describes service.EventInput.
type eventInput struct {
	Type string      `json:"type" jsonschema:"What happened. These are understood, others are kept: workflow_started {args}, agent_message {role, content}, agent_thought {thought}, step_completed {step_id, step_name, result}, workflow_completed {result}, workflow_failed {error}."`
	Data memory.JSON `json:"data,omitempty" jsonschema:"What belongs to it, as a JSON object."`
	At   time.Time   `json:"at" jsonschema:"When it happened, such as 2026-06-01T12:00:00Z."`
}
