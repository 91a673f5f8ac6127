package mcpserver

import (
	"context"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/recording"
	"mneme/service/upkeep"
)

var backfillTool = tool[backfillInput, backfillOutput]{
	name: "backfill", title: "Link what came early", hints: idempotent, rule: access.Reads.AndWith("without waiting", access.Record),
	about: "Links canvases and feedback that named only a session, and came more than a day before its episodes. With waiting lists what still waits for an episode instead.",
	run:   backfill,
}

type backfillInput struct {
	boundary.BackfillInput
	Waiting string `json:"waiting,omitempty" jsonschema:"canvas or feedback: lists those that wait, of all sessions, newest first."`
	reading.PageInput
}

type backfillOutput struct {
	upkeep.BackfillResult
	Waiting []recording.WaitingRecord `json:"waiting,omitzero"`
	pageOutput
}

func backfill(ctx context.Context, tenant *service.Tenant, in backfillInput) (out backfillOutput, err error) {
	switch {
	case in.Waiting == "" && in.First != nil:
		return out, memory.Invalid("first", "comes with waiting: a backfill links all there is")
	case in.Waiting == "" && in.After != nil:
		return out, memory.Invalid("after", "comes with waiting: a backfill links all there is")
	case in.Waiting == "":
		out.BackfillResult, err = result(tenant.Upkeep.Backfill(ctx, in.BackfillInput))
		return out, err
	case in.SessionID != nil:
		return out, memory.Invalid("sessionId", "cannot be combined with waiting, which is of all sessions")
	}
	page, err := tenant.Reactions.Waiting(ctx, memory.Kind(in.Waiting), in.PageInput)
	if err != nil {
		return out, err
	}
	out.pageOutput, out.Waiting = nextOf(page), page.Items
	return out, nil
}

var consolidateTool = tool[boundary.ConsolidateInput, upkeep.Consolidation]{
	name: "consolidate", title: "Sum up old episodes", hints: idempotent, rule: access.Reads.AndWith("dryRun: false", access.Administer),
	about: "Says what recurs in episodes older than 7 days, and with dryRun false keeps it as observations.",
	run: func(ctx context.Context, tenant *service.Tenant, in boundary.ConsolidateInput) (upkeep.Consolidation, error) {
		found, err := result(tenant.Upkeep.Consolidate(ctx, in))
		if !found.HasMore { // there is nothing to go on with, and what was asked is not repeated
			found.LastAgentID = nil
		}
		return found, err
	},
}

var forgetRecordTool = tool[boundary.DeleteInput, upkeep.DeletedRecord]{
	name: "forget_record", title: "Forget a record", hints: deletes, rule: access.Administers.ForUsers(),
	about: "Deletes an episode, with what was shown in it and said of it, a memoir with its concepts, a run or section with its verdicts, or one concept, observation, correction, canvas, feedback, verdict or execution, for good. Call it only where a person asks for that.",
	run: func(ctx context.Context, tenant *service.Tenant, in boundary.DeleteInput) (upkeep.DeletedRecord, error) {
		return result(tenant.Upkeep.DeleteAny(ctx, in))
	},
}

// result is what a service method answers, as a tool does: nothing beside an error.
func result[T any](answer *T, err error) (T, error) {
	if err != nil {
		return *new(T), err
	}
	return *answer, nil
}
