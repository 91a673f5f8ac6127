package mcpserver

import (
	"time"

	"mneme/memory"
)

// The whole of a record, as full answers and resources give it. What is empty is left out.

type agentBody struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func bodyOfAgent(a *memory.Agent) agentBody { return agentBody{ID: a.ID(), Name: a.Name} }

type sessionBody struct {
	ID string `json:"id"`
}

type episodeBody struct {
	ID           string          `json:"id"`
	Title        string          `json:"title"`
	AgentID      string          `json:"agentId"`
	SessionID    string          `json:"sessionId,omitempty"`
	TaskType     string          `json:"taskType,omitempty"`
	ExecutionIDs []string        `json:"executionIds,omitempty"`
	Observation  string          `json:"observation" jsonschema:"The situation the agent met."`
	Thoughts     []string        `json:"thoughts,omitempty"`
	Actions      []memory.Action `json:"actions,omitempty"`
	Result       string          `json:"result,omitempty"`
	Outcome      memory.Outcome  `json:"outcome"`
	Insight      string          `json:"insight" jsonschema:"Why it worked or failed."`
	Quality      *float64        `json:"quality,omitempty"`
	StartedAt    time.Time       `json:"startedAt"`
	EndedAt      *time.Time      `json:"endedAt,omitempty"`
	Metadata     memory.JSON     `json:"metadata,omitempty"`

	AggregateFeedbackScore *float64       `json:"aggregateFeedbackScore,omitempty" jsonschema:"The mean score of people's feedback, -1 to 1; left out where there is none."`
	Canvases               []canvasBody   `json:"canvases,omitempty" jsonschema:"What was shown in it and what people did to it, the newest first, at most 100."`
	Feedback               []feedbackBody `json:"feedback,omitempty" jsonschema:"How people reacted, the newest first, at most 100."`
}

func bodyOfEpisode(e *memory.Episode) episodeBody {
	var with memory.EpisodeContext
	if e.Context != nil {
		with = *e.Context
	}
	return episodeBody{
		ID: e.ID(), Title: e.Title, AgentID: memory.NodeID(memory.KindAgent, e.AgentKey), SessionID: orEmpty(e.SessionID()),
		TaskType: orEmpty(e.TaskType), ExecutionIDs: e.ExecutionIDs, Observation: e.Observation, Thoughts: e.Thoughts,
		Actions: e.Actions, Result: orEmpty(e.Result), Outcome: e.Outcome, Insight: e.Insight, Quality: e.Quality,
		StartedAt: e.StartedAt, EndedAt: e.EndedAt, Metadata: e.Metadata, AggregateFeedbackScore: e.AggregateFeedbackScore(),
		Canvases: mapped(with.Canvases, bodyOfCanvas), Feedback: mapped(with.Feedback, bodyOfFeedback),
	}
}

type canvasBody struct {
	ID            string                `json:"id"`
	EpisodeID     string                `json:"episodeId,omitempty"`
	SessionID     string                `json:"sessionId,omitempty"`
	CanvasType    string                `json:"canvasType"`
	ComponentType string                `json:"componentType,omitempty"`
	States        []memory.CanvasState  `json:"states" jsonschema:"What the actions say about the person who saw it, in order."`
	DwellSeconds  *float64              `json:"dwellSeconds,omitempty" jsonschema:"How long it was open."`
	Reward        float64               `json:"reward"`
	Metadata      memory.JSON           `json:"metadata,omitempty"`
	Actions       []memory.CanvasAction `json:"actions"`
}

func bodyOfCanvas(c *memory.Canvas) canvasBody {
	return canvasBody{
		ID: c.ID(), EpisodeID: optionalID(memory.KindEpisode, c.EpisodeKey), SessionID: orEmpty(c.SessionID()),
		CanvasType: c.CanvasType, ComponentType: orEmpty(c.ComponentType), States: orNone(c.States()),
		DwellSeconds: c.DwellSeconds(), Reward: c.Reward(), Metadata: c.Metadata(), Actions: orNone(c.Actions),
	}
}

type feedbackBody struct {
	ID        string `json:"id"`
	EpisodeID string `json:"episodeId,omitempty"`
	CanvasID  string `json:"canvasId,omitempty"`
	SessionID string `json:"sessionId,omitempty"`
	memory.Reaction
}

func bodyOfFeedback(f *memory.Feedback) feedbackBody {
	return feedbackBody{
		ID: f.ID(), EpisodeID: optionalID(memory.KindEpisode, f.EpisodeKey), CanvasID: optionalID(memory.KindCanvas, f.CanvasKey),
		SessionID: optionalID(memory.KindSession, f.SessionKey), Reaction: f.Reaction,
	}
}

func optionalID(kind memory.Kind, key *string) string {
	if key == nil {
		return ""
	}
	return memory.NodeID(kind, *key)
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func orNone[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
