package service

import (
	"time"

	"mneme/memory"
	"mneme/memory/ranking"
)

// The inputs of the use cases. Every front end fills these; GraphQL binds them one by one. An id takes
// either form, the bare key or the global kind:key. A nil pointer is an argument left out.

// ActionInput is one step an agent took and what came of it.
type ActionInput struct {
	StepID   *string     `json:"stepId,omitempty"`
	StepName string      `json:"stepName"`
	Result   memory.JSON `json:"result,omitempty"`
}

// RecordEpisodeInput is an episode as its agent tells it.
type RecordEpisodeInput struct {
	ID           *string         `json:"id,omitempty"`
	AgentID      string          `json:"agentId"`
	AgentName    *string         `json:"agentName,omitempty"`
	Title        *string         `json:"title,omitempty"`
	SessionID    *string         `json:"sessionId,omitempty"`
	TaskType     *string         `json:"taskType,omitempty"`
	ExecutionIDs []string        `json:"executionIds,omitempty"`
	Observation  string          `json:"observation"`
	Thoughts     []string        `json:"thoughts,omitempty"`
	Actions      []ActionInput   `json:"actions,omitempty"`
	Result       *string         `json:"result,omitempty"`
	Outcome      *memory.Outcome `json:"outcome,omitempty"`
	Insight      *string         `json:"insight,omitempty"`
	StartedAt    *time.Time      `json:"startedAt,omitempty"`
	EndedAt      *time.Time      `json:"endedAt,omitempty"`
	CausedBy     []string        `json:"causedBy,omitempty"`
	ConceptIDs   []string        `json:"conceptIds,omitempty"`
	Embedding    []float64       `json:"embedding,omitempty"`
	Metadata     memory.JSON     `json:"metadata,omitempty"`
	Quality      *float64        `json:"quality,omitempty"`
}

// RecordEpisodesInput is a batch of episodes, applied in order.
type RecordEpisodesInput struct {
	Episodes []RecordEpisodeInput `json:"episodes"`
}

// EventInput is one entry of a run's log.
type EventInput struct {
	Type string      `json:"type"`
	Data memory.JSON `json:"data,omitempty"`
	At   time.Time   `json:"at"`
}

// CaptureRunInput is the log of a finished run, which becomes the episode of that key.
type CaptureRunInput struct {
	RunID        string       `json:"runId"`
	AgentID      string       `json:"agentId"`
	WorkflowName *string      `json:"workflowName,omitempty"`
	SessionID    *string      `json:"sessionId,omitempty"`
	Events       []EventInput `json:"events"`
}

// ConcludeEpisodeInput is the end of an episode recorded before its outcome was known.
type ConcludeEpisodeInput struct {
	ID      string         `json:"id"`
	Outcome memory.Outcome `json:"outcome"`
	Result  *string        `json:"result,omitempty"`
	Insight *string        `json:"insight,omitempty"`
	Quality *float64       `json:"quality,omitempty"`
	EndedAt *time.Time     `json:"endedAt,omitempty"`
}

// DeleteEpisodeInput names the episode to be deleted.
type DeleteEpisodeInput struct {
	ID string `json:"id"`
}

// CanvasActionInput is one thing that happened to a canvas.
type CanvasActionInput struct {
	ID            *string                 `json:"id,omitempty"`
	CanvasID      string                  `json:"canvasId"`
	EpisodeID     *string                 `json:"episodeId,omitempty"`
	SessionID     *string                 `json:"sessionId,omitempty"`
	CanvasType    string                  `json:"canvasType"`
	ComponentType *string                 `json:"componentType,omitempty"`
	Action        memory.CanvasActionKind `json:"action"`
	Metadata      memory.JSON             `json:"metadata,omitempty"`
	At            *time.Time              `json:"at,omitempty"`
}

// RecordCanvasActionsInput is a batch of canvas actions, applied in order.
type RecordCanvasActionsInput struct {
	Actions []CanvasActionInput `json:"actions"`
}

// BackfillInput says in which session to link what has no episode yet; nil means all.
type BackfillInput struct {
	SessionID *string `json:"sessionId,omitempty"`
}

// EpisodeFilter keeps the episodes that meet every set condition.
type EpisodeFilter struct {
	AgentID          *string                  `json:"agentId,omitempty"`
	SessionID        *string                  `json:"sessionId,omitempty"`
	TaskType         *string                  `json:"taskType,omitempty"`
	Outcome          *memory.Outcome          `json:"outcome,omitempty"`
	CanvasType       *string                  `json:"canvasType,omitempty"`
	CanvasAction     *memory.CanvasActionKind `json:"canvasAction,omitempty"`
	MinFeedbackScore *float64                 `json:"minFeedbackScore,omitempty"`
	MaxFeedbackScore *float64                 `json:"maxFeedbackScore,omitempty"`
	TimeRange        *memory.TimeRange        `json:"timeRange,omitempty"`
	Since            *time.Time               `json:"since,omitempty"`
	Until            *time.Time               `json:"until,omitempty"`
}

// EpisodeOrder is an order of listing episodes.
type EpisodeOrder string

// The orders. Ties: newer first, then id.
const (
	StartedAtDesc EpisodeOrder = "STARTED_AT_DESC"
	StartedAtAsc  EpisodeOrder = "STARTED_AT_ASC"
	FeedbackDesc  EpisodeOrder = "FEEDBACK_DESC"
)

// RankingInput changes the constants of a recall's ranking; a nil leaves the default.
type RankingInput struct {
	SemanticWeight  *float64              `json:"semanticWeight,omitempty"`
	TemporalWeight  *float64              `json:"temporalWeight,omitempty"`
	HalfLifeDays    *float64              `json:"halfLifeDays,omitempty"`
	CanvasBoost     *float64              `json:"canvasBoost,omitempty"`
	PositiveBoost   *float64              `json:"positiveBoost,omitempty"`
	NegativePenalty *float64              `json:"negativePenalty,omitempty"`
	Feedback        *ranking.FeedbackMode `json:"feedback,omitempty"`
}

// RecallInput asks for the experiences that matter in a situation.
type RecallInput struct {
	Situation        string                   `json:"situation"`
	AgentID          *string                  `json:"agentId,omitempty"`
	TaskType         *string                  `json:"taskType,omitempty"`
	Outcome          *memory.Outcome          `json:"outcome,omitempty"`
	CanvasType       *string                  `json:"canvasType,omitempty"`
	CanvasAction     *memory.CanvasActionKind `json:"canvasAction,omitempty"`
	MinFeedbackScore *float64                 `json:"minFeedbackScore,omitempty"`
	TimeRange        *memory.TimeRange        `json:"timeRange,omitempty"`
	Since            *time.Time               `json:"since,omitempty"`
	Until            *time.Time               `json:"until,omitempty"`
	TopK             *int                     `json:"topK,omitempty"`
	IncludeCanvas    *bool                    `json:"includeCanvas,omitempty"`
	IncludeFeedback  *bool                    `json:"includeFeedback,omitempty"`
	Embedding        []float64                `json:"embedding,omitempty"`
	Ranking          *RankingInput            `json:"ranking,omitempty"`
	AsOf             *time.Time               `json:"asOf,omitempty"`
}

// PageInput asks for a page: First records (default 20, at most 100) after a cursor.
type PageInput struct {
	First *int
	After *string
}

// Include says what to read along with episodes, so that one query fetches it all.
type Include struct {
	Agent, Canvases, Feedback bool
}
