package mcpserver

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/summaries"
)

var selectAgentTool = tool[selectAgentInput, summaries.RankingSummary]{
	name: "select_agent", title: "Choose an agent", hints: reads, rule: access.Reads,
	about: "Call this before handing a task to another agent. Answers which one should do it, by how it did such tasks before, and why.",
	run: func(ctx context.Context, tenant *service.Tenant, in selectAgentInput) (summaries.RankingSummary, error) {
		choice, err := tenant.Learning.SelectAgent(ctx, in.SelectionInput, in.Explore)
		if err != nil {
			return summaries.RankingSummary{}, err
		}
		return tenant.Learning.RankingSummary(choice), nil
	},
}

type selectAgentInput struct {
	boundary.SelectionInput
	Explore bool `json:"explore,omitempty" jsonschema:"True chooses the one that could be the best, so that something is learnt."`
}

var recordExecutionTool = tool[boundary.RecordExecutionInput, recordExecutionOutput]{
	name: "record_execution", title: "Record an execution", hints: adds, rule: access.Records,
	about: "Counts one piece of an agent's work in its learning profile, which select_agent goes by. An episode with a task type that ended in SUCCESS or FAILURE is counted already: do not record it again.",
	run: func(ctx context.Context, tenant *service.Tenant, in boundary.RecordExecutionInput) (recordExecutionOutput, error) {
		receipt, err := tenant.Learning.RecordExecution(ctx, in)
		if err != nil {
			return recordExecutionOutput{}, err
		}
		return recordExecutionOutput{ID: receipt.Execution.ID(), Profile: tenant.Learning.Summary(receipt.Profile)}, nil
	},
}

type recordExecutionOutput struct {
	ID      string                   `json:"id"`
	Profile summaries.ProfileSummary `json:"profile" jsonschema:"What the agent's work of that type adds up to, this included."`
}

type executionBody struct {
	ID        string    `json:"id"`
	AgentID   string    `json:"agentId"`
	EpisodeID string    `json:"episodeId,omitempty" jsonschema:"The episode that it is, where it was not recorded by itself."`
	TaskType  string    `json:"taskType"`
	Success   bool      `json:"success"`
	Quality   float64   `json:"quality" jsonschema:"How good the work was, 0 to 1."`
	LatencyMs *float64  `json:"latencyMs,omitempty"`
	At        time.Time `json:"at"`
	Archived  bool      `json:"archived" jsonschema:"Whether it is older than the latest 100, which expertise is made of."`
}

func bodyOfExecution(e *memory.Execution) executionBody {
	return executionBody{
		ID: e.ID(), AgentID: memory.NodeID(memory.KindAgent, e.AgentKey), EpisodeID: memory.OrZero(memory.OptionalID(memory.KindEpisode, e.EpisodeKey())),
		TaskType: e.TaskType, Success: e.Success, Quality: e.Quality, LatencyMs: e.LatencyMs, At: e.At, Archived: e.Archived,
	}
}
