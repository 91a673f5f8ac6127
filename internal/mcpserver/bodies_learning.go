package mcpserver

import (
	"time"

	"mneme/memory"
	"mneme/memory/selection"
	"mneme/service"
)

type executionBody struct {
	ID        string    `json:"id"`
	AgentID   string    `json:"agentId"`
	EpisodeID string    `json:"episodeId,omitempty" jsonschema:"The episode that it is, where it was not recorded by itself."`
	TaskType  string    `json:"taskType"`
	Success   bool      `json:"success"`
	Quality   float64   `json:"quality" jsonschema:"How good the work was, 0 to 1."`
	LatencyMs *float64  `json:"latencyMs,omitempty"`
	At        time.Time `json:"at"`
	Archived  bool      `json:"archived" jsonschema:"Whether it is older than the latest 100 of its profile, which expertise is made of."`
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
	Trend                selection.Trend `json:"trend" jsonschema:"Which way the quality goes: the last 7 days against the time before."`
	LastUpdated          time.Time       `json:"lastUpdated"`
}

func bodyOfProfile(tenant *service.Tenant, p *memory.LearningProfile) profileBody {
	standing := tenant.Learning.Standing(p)
	return profileBody{
		ID: p.ID(), AgentID: memory.NodeID(memory.KindAgent, p.AgentKey), TaskType: p.TaskType,
		ExecutionsTotal: p.Total, ExecutionsSuccessful: p.Successful, AvgQuality: p.AvgQuality(), AvgLatencyMs: p.AvgLatencyMs(),
		Expertise: standing.Expertise, Confidence: p.Confidence(), Score: standing.Expertise * p.Confidence(),
		ColdStart: p.ColdStart(), Trend: standing.Trend, LastUpdated: p.LastUpdated(),
	}
}
