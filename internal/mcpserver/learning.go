package mcpserver

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/selection"
	"mneme/service"
)

var selectAgentTool = tool[selectAgentInput, selectAgentOutput]{
	name: "select_agent", title: "Choose an agent", hints: reads,
	about: "Call this before handing a task to another agent. Answers which one should do it, by how it did such tasks before, and why.",
	run:   selectAgent,
}

type selectAgentInput struct {
	service.SelectionInput
	Explore bool `json:"explore,omitempty" jsonschema:"True chooses the one that could be the best, so that something is learnt."`
}

type selectAgentOutput struct {
	AgentID    string       `json:"agentId"`
	Rank       int          `json:"rank" jsonschema:"Its place among the agents, from 1."`
	Score      float64      `json:"score" jsonschema:"0 to 1: expertise times confidence; with a situation the quality to be expected."`
	Expertise  float64      `json:"expertise" jsonschema:"How well it did that type of task lately, 0 to 1."`
	Confidence float64      `json:"confidence" jsonschema:"How much is known of that, 0 to 1."`
	Profile    *profileBody `json:"profile,omitempty" jsonschema:"What its work of that type adds up to."`
	Reasons    []string     `json:"reasons" jsonschema:"Why it was chosen, in words."`
}

func selectAgent(ctx context.Context, tenant *service.Tenant, in selectAgentInput) (selectAgentOutput, error) {
	choice, err := tenant.Learning.SelectAgent(ctx, in.SelectionInput, in.Explore)
	if err != nil {
		return selectAgentOutput{}, err
	}
	output := selectAgentOutput{
		AgentID: memory.NodeID(memory.KindAgent, choice.AgentKey), Rank: choice.Rank, Score: choice.Score,
		Expertise: choice.Expertise, Confidence: choice.Confidence, Reasons: orNone(choice.Reasons),
	}
	if choice.Profile != nil {
		profile := bodyOfProfile(tenant, choice.Profile)
		output.Profile = &profile
	}
	return output, nil
}

var recordExecutionTool = tool[service.RecordExecutionInput, recordExecutionOutput]{
	name: "record_execution", title: "Record an execution", hints: adds,
	about: "Counts one piece of an agent's work in its learning profile, which select_agent goes by. An episode with a task type that ended in SUCCESS or FAILURE is counted already: do not record it again.",
	run:   recordExecution,
}

type recordExecutionOutput struct {
	ID      string      `json:"id"`
	Profile profileBody `json:"profile" jsonschema:"What the agent's work of that type adds up to, this included."`
}

func recordExecution(ctx context.Context, tenant *service.Tenant, in service.RecordExecutionInput) (recordExecutionOutput, error) {
	receipt, err := tenant.Learning.RecordExecution(ctx, in)
	if err != nil {
		return recordExecutionOutput{}, err
	}
	return recordExecutionOutput{ID: receipt.Execution.ID(), Profile: bodyOfProfile(tenant, receipt.Profile)}, nil
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
		ID: e.ID(), AgentID: memory.NodeID(memory.KindAgent, e.AgentKey), EpisodeID: optionalID(memory.KindEpisode, e.EpisodeKey()),
		TaskType: e.TaskType, Success: e.Success, Quality: e.Quality, LatencyMs: e.LatencyMs, At: e.At, Archived: e.Archived,
	}
}

type profileBody struct {
	ID                   string          `json:"id"`
	AgentID              string          `json:"agentId"`
	TaskType             string          `json:"taskType"`
	ExecutionsTotal      int             `json:"executionsTotal"`
	ExecutionsSuccessful int             `json:"executionsSuccessful"`
	AvgQuality           float64         `json:"avgQuality" jsonschema:"The plain mean over all executions, 0 to 1."`
	AvgLatencyMs         *float64        `json:"avgLatencyMs,omitempty"`
	Expertise            float64         `json:"expertise" jsonschema:"The mean quality of the latest 100 executions, 0 to 1; recent ones weigh more."`
	Confidence           float64         `json:"confidence" jsonschema:"How much is known, 0 to 1: a twentieth for each execution."`
	Score                float64         `json:"score" jsonschema:"Expertise times confidence."`
	ColdStart            bool            `json:"coldStart" jsonschema:"Whether there are fewer than the 20 executions that full confidence needs."`
	Trend                selection.Trend `json:"trend" jsonschema:"Of the quality: the last 7 days against the time before."`
	LastUpdated          time.Time       `json:"lastUpdated"`
}

func bodyOfProfile(tenant *service.Tenant, p *memory.LearningProfile) profileBody {
	standing := tenant.Learning.Standing(p)
	return profileBody{
		ID: p.ID(), AgentID: memory.NodeID(memory.KindAgent, p.AgentKey), TaskType: p.TaskType,
		ExecutionsTotal: p.Total, ExecutionsSuccessful: p.Successful, AvgQuality: p.AvgQuality(), AvgLatencyMs: p.AvgLatencyMs(),
		Expertise: standing.Expertise, Confidence: p.Confidence(), Score: standing.Score,
		ColdStart: p.ColdStart(), Trend: standing.Trend, LastUpdated: p.LastUpdated(),
	}
}
