package mcpserver

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/service"
)

var recordEpisodeTool = tool[recordEpisodeInput, episodeOutput]{
	name: "record_episode", title: "Record an episode", hints: adds,
	about: "Call this after a task. Records one piece of work: the situation, what was thought and done, what came of it. With an id it may be sent again safely.",
	run: func(ctx context.Context, tenant *service.Tenant, in recordEpisodeInput) (episodeOutput, error) {
		return recorded(tenant.Episodes.RecordEpisode(ctx, service.RecordEpisodeInput(in), service.Include{}))
	},
}

// recordEpisodeInput describes service.RecordEpisodeInput.
type recordEpisodeInput struct {
	ID           *string               `json:"id,omitempty" jsonschema:"The key to record it under, 1 to 512 bytes; one is made where it is left out."`
	AgentID      string                `json:"agentId" jsonschema:"Who did the work, by id or key; one that nobody knew comes into being."`
	AgentName    *string               `json:"agentName,omitempty" jsonschema:"The agent's name for people."`
	Title        *string               `json:"title,omitempty" jsonschema:"A short name; made from the observation where it is left out."`
	SessionID    *string               `json:"sessionId,omitempty" jsonschema:"The conversation it belongs to, by id or key."`
	TaskType     *string               `json:"taskType,omitempty" jsonschema:"What kind of task it was, such as refund_request."`
	ExecutionIDs []string              `json:"executionIds,omitempty" jsonschema:"The caller's own names for the executions it covers; feedback may name one of them."`
	Observation  string                `json:"observation" jsonschema:"The situation, in the words in which a similar one would be described; recall goes by it."`
	Thoughts     []string              `json:"thoughts,omitempty" jsonschema:"What the agent thought, in order."`
	Actions      []service.ActionInput `json:"actions,omitempty" jsonschema:"What the agent did, in order."`
	Result       *string               `json:"result,omitempty" jsonschema:"What came of it."`
	Outcome      *memory.Outcome       `json:"outcome,omitempty" jsonschema:"How it ended; UNKNOWN where it is left out, for conclude_episode to settle."`
	Insight      *string               `json:"insight,omitempty" jsonschema:"Why it worked or failed, in a sentence; made from the episode where it is left out."`
	StartedAt    *time.Time            `json:"startedAt,omitempty" jsonschema:"When it began, such as 2026-06-01T12:00:00Z; now where it is left out."`
	EndedAt      *time.Time            `json:"endedAt,omitempty" jsonschema:"When it ended, not before it began."`
	CausedBy     []string              `json:"causedBy,omitempty" jsonschema:"The episodes that caused it, by id or key."`
	ConceptIDs   []string              `json:"conceptIds,omitempty" jsonschema:"The concepts it mentions, by id or key."`
	Embedding    []float64             `json:"embedding,omitempty" jsonschema:"A vector of it, where the caller makes vectors itself; as long as the recorded ones."`
	Metadata     memory.JSON           `json:"metadata,omitempty" jsonschema:"Whatever else is to be kept with it, as JSON."`
	Quality      *float64              `json:"quality,omitempty" jsonschema:"How good the work was, 0 to 1; follows from the outcome where it is left out."`
}

// actionInput describes service.ActionInput.
type actionInput struct {
	StepID   *string     `json:"stepId,omitempty" jsonschema:"The caller's own name for the step."`
	StepName string      `json:"stepName" jsonschema:"What was done, such as a tool's name."`
	Result   memory.JSON `json:"result,omitempty" jsonschema:"What came of the step, as JSON."`
}

// episodeOutput is a receipt for an episode.
type episodeOutput struct {
	ID         string             `json:"id"`
	Title      string             `json:"title"`
	Outcome    memory.Outcome     `json:"outcome"`
	Insight    string             `json:"insight" jsonschema:"Why it worked or failed, as kept."`
	StartedAt  time.Time          `json:"startedAt"`
	Redactions []memory.Redaction `json:"redactions,omitempty" jsonschema:"Which private parts and secrets were taken out before it was kept."`
}

func recorded(e *memory.Episode, err error) (episodeOutput, error) {
	if err != nil {
		return episodeOutput{}, err
	}
	return episodeOutput{
		ID: e.ID(), Title: e.Title, Outcome: e.Outcome, Insight: e.Insight, StartedAt: e.StartedAt, Redactions: e.Receipt.Redactions,
	}, nil
}

var concludeEpisodeTool = tool[concludeEpisodeInput, episodeOutput]{
	name: "conclude_episode", title: "Conclude an episode", hints: settles,
	about: "Says how an episode ended that was recorded before its outcome was known. That is done once.",
	run: func(ctx context.Context, tenant *service.Tenant, in concludeEpisodeInput) (episodeOutput, error) {
		return recorded(tenant.Episodes.ConcludeEpisode(ctx, service.ConcludeEpisodeInput(in), service.Include{}))
	},
}

// concludeEpisodeInput describes service.ConcludeEpisodeInput.
type concludeEpisodeInput struct {
	ID      string         `json:"id" jsonschema:"The episode, by id or key, as record_episode answered it."`
	Outcome memory.Outcome `json:"outcome" jsonschema:"How it ended: SUCCESS or FAILURE."`
	Result  *string        `json:"result,omitempty" jsonschema:"What came of it; what was recorded stays where it is left out."`
	Insight *string        `json:"insight,omitempty" jsonschema:"Why it worked or failed."`
	Quality *float64       `json:"quality,omitempty" jsonschema:"How good the work was, 0 to 1."`
	EndedAt *time.Time     `json:"endedAt,omitempty" jsonschema:"When it ended, not before it began."`
}

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
