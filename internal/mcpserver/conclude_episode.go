package mcpserver

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/service"
)

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
