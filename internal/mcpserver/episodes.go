package mcpserver

import (
	"context"
	"maps"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
)

var recordEpisodeTool = tool[service.RecordEpisodeInput, episodeOutput]{
	name: "record_episode", title: "Record an episode", hints: adds, rule: access.Records.ForUsers(), core: true,
	about: "Call this after a task, with its sessionId: what was shown and said in that session since is linked to it. Records one piece of work: the situation, what was thought and done, what came of it. With an id it may be sent again safely.",
	run: func(ctx context.Context, tenant *service.Tenant, in service.RecordEpisodeInput) (episodeOutput, error) {
		return recorded(tenant.Episodes.RecordEpisode(ctx, in, service.Include{}))
	},
}

// episodeOutput is a receipt for an episode.
type episodeOutput struct {
	ID         string             `json:"id"`
	Title      string             `json:"title"`
	Outcome    memory.Outcome     `json:"outcome"`
	Insight    string             `json:"insight" jsonschema:"Why it worked or failed, as kept."`
	StartedAt  time.Time          `json:"startedAt"`
	Redactions []memory.Redaction `json:"redactions,omitempty" jsonschema:"What was private, and taken out."`
}

func recorded(e *memory.Episode, err error) (episodeOutput, error) {
	if err != nil {
		return episodeOutput{}, err
	}
	return episodeOutput{
		ID: e.ID(), Title: e.Title, Outcome: e.Outcome, Insight: e.Insight, StartedAt: e.StartedAt, Redactions: e.Receipt.Redactions,
	}, nil
}

// concludeEpisodeInput is the service's, with an outcome that ends an episode.
type concludeEpisodeInput struct {
	service.ConcludeEpisodeInput
	Outcome ending `json:"outcome" jsonschema:"How it ended."`
}

type ending memory.Outcome

var concludeEpisodeTool = tool[concludeEpisodeInput, episodeOutput]{
	name: "conclude_episode", title: "Conclude an episode", hints: idempotent, rule: access.Records.ForUsers(), core: true,
	about: "Says how an episode ended that was recorded before its outcome was known. That is done once.",
	run: func(ctx context.Context, tenant *service.Tenant, in concludeEpisodeInput) (episodeOutput, error) {
		in.ConcludeEpisodeInput.Outcome = memory.Outcome(in.Outcome)
		return recorded(tenant.Episodes.ConcludeEpisode(ctx, in.ConcludeEpisodeInput, service.Include{}))
	},
}

// runOutput is a receipt for a run.
type runOutput struct {
	episodeOutput
	Unread []string `json:"unread,omitempty" jsonschema:"What was not read of the events, and why."`
}

var captureRunTool = tool[service.CaptureRunInput, runOutput]{
	name: "capture_run", title: "Capture a run", hints: idempotent, rule: access.Records.ForUsers(),
	about: "Makes an episode of a run's event log, which is kept whole: of a finished run at once, or with append in parts while it goes on, until its end event or conclude_episode concludes it.",
	run: func(ctx context.Context, tenant *service.Tenant, in service.CaptureRunInput) (runOutput, error) {
		run, err := recorded(tenant.Episodes.CaptureRun(ctx, in, service.Include{}))
		if err != nil {
			return runOutput{}, err
		}
		return runOutput{run, service.UnreadEvents(in.Events)}, nil
	},
}

type episodeBody struct {
	ID           string          `json:"id"`
	Title        string          `json:"title"`
	AgentID      string          `json:"agentId"`
	SessionID    string          `json:"sessionId,omitempty"`
	TaskType     string          `json:"taskType,omitempty"`
	UserID       string          `json:"userId,omitempty"`
	ExecutionIDs []string        `json:"executionIds,omitempty"`
	Observation  string          `json:"observation" jsonschema:"The situation the agent met."`
	Thoughts     []string        `json:"thoughts,omitempty"`
	Actions      []memory.Action `json:"actions,omitempty"`
	Result       string          `json:"result,omitempty"`
	Outcome      memory.Outcome  `json:"outcome"`
	Insight      string          `json:"insight" jsonschema:"Why it worked or failed."`
	GivenQuality *float64        `json:"givenQuality,omitempty"`
	Quality      *episodeQuality `json:"quality,omitempty"`
	StartedAt    time.Time       `json:"startedAt"`
	EndedAt      *time.Time      `json:"endedAt,omitempty"`
	Metadata     memory.JSON     `json:"metadata,omitempty"`

	AggregateFeedbackScore *float64       `json:"aggregateFeedbackScore,omitempty" jsonschema:"The mean score of people's feedback, -1 to 1; none without."`
	Canvases               []canvasBody   `json:"canvases,omitempty" jsonschema:"What was shown in it and what people did to it, the newest first, at most 100."`
	Feedback               []feedbackBody `json:"feedback,omitempty" jsonschema:"How people reacted, the newest first, at most 100."`
}

// episodeQuality is how good an episode was, and what that is made of.
type episodeQuality struct {
	Value *float64 `json:"value,omitempty"`
	qualityParts
}

// qualitiesOf are the qualities of episodes that were read with their canvases, by key; nothing where nothing is known of one.
func qualitiesOf(ctx context.Context, tenant *service.Tenant, episodes []*memory.Episode) (map[string]*episodeQuality, error) {
	agents := map[string]bool{}
	for _, e := range episodes {
		if e.Context == nil || e.Context.AsOf == nil { // how evenly an agent succeeds is known as of now only
			agents[e.AgentKey] = true
		}
	}
	even, err := tenant.Learning.Consistency(ctx, slices.Collect(maps.Keys(agents)))
	if err != nil {
		return nil, err
	}
	found := map[string]*episodeQuality{}
	for _, e := range episodes {
		q, err := tenant.Learning.EpisodeQuality(ctx, e, even[e.AgentKey])
		if err != nil {
			return nil, err
		}
		if q.Value != nil {
			found[e.Key] = &episodeQuality{q.Value, qualityParts{q.Completion, q.CanvasSuccess, q.FeedbackQuality, q.Consistency}}
		}
	}
	return found, nil
}

func bodyOfEpisode(tenant *service.Tenant, e *memory.Episode) episodeBody {
	var with memory.EpisodeContext
	if e.Context != nil {
		with = *e.Context
	}
	return episodeBody{
		ID: e.ID(), Title: e.Title, AgentID: memory.NodeID(memory.KindAgent, e.AgentKey), SessionID: orEmpty(e.SessionID()),
		TaskType: orEmpty(e.TaskType), UserID: orEmpty(e.UserID), ExecutionIDs: e.ExecutionIDs, Observation: e.Observation, Thoughts: e.Thoughts,
		Actions: e.Actions, Result: orEmpty(e.Result), Outcome: e.Outcome, Insight: e.Insight, GivenQuality: e.Quality,
		Quality:   nil, // it is also of the agent's other episodes: see qualitiesOf
		StartedAt: e.StartedAt, EndedAt: e.EndedAt, Metadata: e.Metadata, AggregateFeedbackScore: e.AggregateFeedbackScore(),
		Canvases: memory.Mapped(with.Canvases, func(c *memory.Canvas) canvasBody { return bodyOfCanvas(tenant, c) }),
		Feedback: memory.Mapped(with.Feedback, bodyOfFeedback),
	}
}
