package mcpserver

import (
	"context"
	"time"

	"mneme/service"
)

var recordExecutionTool = tool[recordExecutionInput, recordExecutionOutput]{
	name: "record_execution", title: "Record an execution", hints: adds,
	about: "Counts one piece of an agent's work in its learning profile, which select_agent goes by. An episode with a task type that ended in SUCCESS or FAILURE is counted already: do not record it again.",
	run:   recordExecution,
}

// recordExecutionInput describes service.RecordExecutionInput.
type recordExecutionInput struct {
	ID        *string    `json:"id,omitempty" jsonschema:"The key to record it under, not beginning with episode:; one is made where it is left out."`
	AgentID   string     `json:"agentId" jsonschema:"Who did the work, by id or key; one that nobody knew comes into being."`
	TaskType  string     `json:"taskType" jsonschema:"What type of task it was, such as refund_request."`
	Success   bool       `json:"success" jsonschema:"Whether it succeeded."`
	Quality   float64    `json:"quality" jsonschema:"How good the work was, 0 to 1."`
	LatencyMs *float64   `json:"latencyMs,omitempty" jsonschema:"How long it took, in milliseconds, 0 to 1e11."`
	At        *time.Time `json:"at,omitempty" jsonschema:"When it was done, such as 2026-06-01T12:00:00Z; now where it is left out."`
}

type recordExecutionOutput struct {
	ID      string      `json:"id"`
	Profile profileBody `json:"profile" jsonschema:"What the agent's work of that type adds up to, this included."`
}

func recordExecution(ctx context.Context, tenant *service.Tenant, in recordExecutionInput) (recordExecutionOutput, error) {
	receipt, err := tenant.Learning.RecordExecution(ctx, service.RecordExecutionInput(in))
	if err != nil {
		return recordExecutionOutput{}, err
	}
	return recordExecutionOutput{ID: receipt.Execution.ID(), Profile: bodyOfProfile(tenant, receipt.Profile)}, nil
}
