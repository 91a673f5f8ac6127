package mcpserver

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/recording"
)

var recordEpisodeTool = tool[boundary.RecordEpisodeInput, episodeOutput]{
	name: "record_episode", title: "Record an episode", hints: adds, rule: access.Records.ForUsers(), core: true,
	about: "Call this after a task, with its sessionId: what was shown and said in that session since is linked to it. Records one piece of work: the situation, what was thought and done, what came of it. With an id it may be sent again safely.",
	run: func(ctx context.Context, tenant *service.Tenant, in boundary.RecordEpisodeInput) (episodeOutput, error) {
		return recorded(tenant.Episodes.RecordEpisode(ctx, in, boundary.Include{}))
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

func recorded(episode *memory.Episode, err error) (episodeOutput, error) {
	e, err := result(episode, err)
	return episodeOutput{
		ID: e.ID(), Title: e.Title, Outcome: e.Outcome, Insight: e.Insight, StartedAt: e.StartedAt, Redactions: e.Receipt.Redactions,
	}, err
}

// concludeEpisodeInput is the service's, with an outcome that ends an episode.
type concludeEpisodeInput struct {
	boundary.ConcludeEpisodeInput
	Outcome ending `json:"outcome" jsonschema:"How it ended."`
}

type ending memory.Outcome

var concludeEpisodeTool = tool[concludeEpisodeInput, episodeOutput]{
	name: "conclude_episode", title: "Conclude an episode", hints: idempotent, rule: access.Records.ForUsers(), core: true,
	about: "Says how an episode ended that was recorded before its outcome was known. That is done once.",
	run: func(ctx context.Context, tenant *service.Tenant, in concludeEpisodeInput) (episodeOutput, error) {
		in.ConcludeEpisodeInput.Outcome = memory.Outcome(in.Outcome)
		return recorded(tenant.Episodes.ConcludeEpisode(ctx, in.ConcludeEpisodeInput, boundary.Include{}))
	},
}

// runOutput is a receipt for a run.
type runOutput struct {
	episodeOutput
	Unread []string `json:"unread,omitempty" jsonschema:"What was not read of the events, and why."`
}

var captureRunTool = tool[boundary.CaptureRunInput, runOutput]{
	name: "capture_run", title: "Capture a run", hints: idempotent, rule: access.Records.ForUsers(),
	about: "Makes an episode of a run's event log, which is kept whole: of a finished run at once, or with append in parts while it goes on, until its end event or conclude_episode concludes it.",
	run: func(ctx context.Context, tenant *service.Tenant, in boundary.CaptureRunInput) (runOutput, error) {
		run, err := recorded(tenant.Episodes.CaptureRun(ctx, in, boundary.Include{}))
		return runOutput{run, recording.UnreadEvents(in.Events)}, err
	},
}
