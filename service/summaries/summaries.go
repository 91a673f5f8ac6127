// Package summaries is records as people and agents are told of them.
package summaries

import (
	"time"

	"mneme/memory"
	"mneme/memory/graduation"
	"mneme/memory/selection"
)

// CanvasSummary is a canvas as people and agents are told of it.
type CanvasSummary struct {
	ID            string                `json:"id"`
	EpisodeID     *string               `json:"episodeId,omitempty"`
	SessionID     *string               `json:"sessionId,omitempty"`
	UserID        *string               `json:"userId,omitempty"`
	CanvasType    string                `json:"canvasType"`
	ComponentType *string               `json:"componentType,omitempty"`
	States        []memory.CanvasState  `json:"states" jsonschema:"What the actions say about the person who saw it, in order."`
	CustomStates  []string              `json:"customStates,omitempty"`
	DwellSeconds  *float64              `json:"dwellSeconds,omitempty" jsonschema:"How long until it was closed or submitted."`
	Reward        float64               `json:"reward"`
	Metadata      memory.JSON           `json:"metadata,omitempty"`
	Actions       []memory.CanvasAction `json:"actions"`
}

// SummaryOfCanvas sums up a canvas by the rules of the deployment.
func SummaryOfCanvas(c *memory.Canvas, rules *memory.CanvasRules) CanvasSummary {
	return CanvasSummary{
		ID: c.ID(), EpisodeID: memory.OptionalID(memory.KindEpisode, c.EpisodeKey), SessionID: c.SessionID(), UserID: c.UserID, CanvasType: c.CanvasType,
		ComponentType: c.ComponentType, States: append([]memory.CanvasState{}, c.States(rules)...), CustomStates: c.CustomStates(rules),
		DwellSeconds: c.DwellSeconds(), Reward: c.Reward(rules), Metadata: c.Metadata(), Actions: append([]memory.CanvasAction{}, c.Actions...),
	}
}

// FeedbackSummary is a feedback as people and agents are told of it.
type FeedbackSummary struct {
	ID        string  `json:"id"`
	EpisodeID *string `json:"episodeId,omitempty"`
	CanvasID  *string `json:"canvasId,omitempty"`
	SessionID *string `json:"sessionId,omitempty"`
	UserID    *string `json:"userId,omitempty"`
	memory.Reaction
}

// SummaryOfFeedback sums up a feedback.
func SummaryOfFeedback(f *memory.Feedback) FeedbackSummary {
	return FeedbackSummary{
		ID: f.ID(), EpisodeID: memory.OptionalID(memory.KindEpisode, f.EpisodeKey), CanvasID: memory.OptionalID(memory.KindCanvas, f.CanvasKey),
		SessionID: memory.OptionalID(memory.KindSession, f.SessionKey), UserID: f.UserID, Reaction: f.Reaction,
	}
}

// PatternSummary is a pattern as people and agents are told of it.
type PatternSummary struct {
	ID                    string             `json:"id"`
	Kind                  memory.PatternKind `json:"kind"`
	Description           string             `json:"description" jsonschema:"The approach; of an issue the latest message that came with its code."`
	IssueCode             string             `json:"issueCode,omitempty"`
	SectionType           string             `json:"sectionType"`
	Context               memory.JSON        `json:"context,omitempty"`
	Mined                 bool               `json:"mined,omitempty"`
	Rate                  float64            `json:"rate" jsonschema:"0 to 1: how often the approach was approved, or how often sections had the issue."`
	Total                 int                `json:"total" jsonschema:"Over how many sections."`
	AvgScore              *float64           `json:"avgScore,omitempty"`
	AvgRecoveryIterations *float64           `json:"avgRecoveryIterations,omitempty" jsonschema:"How many iterations it took on average to be approved in spite of the issue."`
	LastSeen              time.Time          `json:"lastSeen"`
}

// SummaryOfPattern sums up a pattern.
func SummaryOfPattern(p *memory.Pattern) PatternSummary {
	return PatternSummary{
		ID: p.ID(), Kind: p.Kind, Description: p.Description, IssueCode: memory.OrZero(p.IssueCode), SectionType: p.SectionType,
		Context: p.Context, Mined: p.Mined, Rate: p.Rate(), Total: p.Total, AvgScore: p.AvgScore(),
		AvgRecoveryIterations: p.AvgRecoveryIterations(), LastSeen: p.LastSeen,
	}
}

// ProfileSummary is a learning profile as people and agents are told of it.
type ProfileSummary struct {
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

// RankingSummary is where an agent stands for a task, as people and agents are told of it.
type RankingSummary struct {
	AgentID    string          `json:"agentId"`
	Rank       int             `json:"rank" jsonschema:"Its place among the agents, from 1."`
	Score      float64         `json:"score" jsonschema:"0 to 1: expertise times confidence; with a situation the quality to be expected."`
	Expertise  float64         `json:"expertise" jsonschema:"How well it did that type of task lately, 0 to 1."`
	Confidence float64         `json:"confidence" jsonschema:"How much is known of that, 0 to 1."`
	Profile    *ProfileSummary `json:"profile,omitempty" jsonschema:"What its work of that type adds up to."`
	Reasons    []string        `json:"reasons" jsonschema:"Why it was chosen, in words."`
}

// EpisodeSummary is an episode whole, as people and agents are told of it.
type EpisodeSummary struct {
	ID           string              `json:"id"`
	Title        string              `json:"title"`
	AgentID      string              `json:"agentId"`
	SessionID    *string             `json:"sessionId,omitempty"`
	TaskType     *string             `json:"taskType,omitempty"`
	UserID       *string             `json:"userId,omitempty"`
	ExecutionIDs []string            `json:"executionIds,omitempty"`
	Observation  string              `json:"observation" jsonschema:"The situation the agent met."`
	Thoughts     []string            `json:"thoughts,omitempty"`
	Actions      []memory.Action     `json:"actions,omitempty"`
	Result       *string             `json:"result,omitempty"`
	Outcome      memory.Outcome      `json:"outcome"`
	Insight      string              `json:"insight" jsonschema:"Why it worked or failed."`
	GivenQuality *float64            `json:"givenQuality,omitempty"`
	Cost         *float64            `json:"cost,omitempty"`
	Quality      *graduation.Quality `json:"quality,omitempty"`
	StartedAt    time.Time           `json:"startedAt"`
	EndedAt      *time.Time          `json:"endedAt,omitempty"`
	Metadata     memory.JSON         `json:"metadata,omitempty"`

	AggregateFeedbackScore *float64          `json:"aggregateFeedbackScore,omitempty" jsonschema:"The mean score of people's feedback, -1 to 1; none without."`
	Canvases               []CanvasSummary   `json:"canvases,omitempty" jsonschema:"What was shown in it and what people did to it, the newest first, at most 100."`
	Feedback               []FeedbackSummary `json:"feedback,omitempty" jsonschema:"How people reacted, the newest first, at most 100."`
}

// SummaryOfEpisode sums up an episode by the rules of the deployment, without its quality, which is also of the agent's
// other episodes.
func SummaryOfEpisode(e *memory.Episode, rules *memory.CanvasRules) EpisodeSummary {
	with := memory.OrZero(e.Context)
	return EpisodeSummary{
		ID: e.ID(), Title: e.Title, AgentID: memory.NodeID(memory.KindAgent, e.AgentKey), SessionID: e.SessionID(),
		TaskType: e.TaskType, UserID: e.UserID, ExecutionIDs: e.ExecutionIDs, Observation: e.Observation, Thoughts: e.Thoughts,
		Actions: e.Actions, Result: e.Result, Outcome: e.Outcome, Insight: e.Insight, GivenQuality: e.Quality, Cost: e.Cost,
		Quality:   nil,
		StartedAt: e.StartedAt, EndedAt: e.EndedAt, Metadata: e.Metadata, AggregateFeedbackScore: e.AggregateFeedbackScore(),
		Canvases: memory.Mapped(with.Canvases, func(c *memory.Canvas) CanvasSummary { return SummaryOfCanvas(c, rules) }),
		Feedback: memory.Mapped(with.Feedback, SummaryOfFeedback),
	}
}
