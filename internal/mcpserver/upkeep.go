package mcpserver

import (
	"context"

	"mneme/memory"
	"mneme/service"
)

var backfillTool = tool[service.BackfillInput, service.BackfillResult]{
	name: "backfill", title: "Link what came early", hints: idempotent,
	about: "Links canvases and feedback that named only a session, and came more than a day before its episodes, to the episode that they belong to.",
	run: func(ctx context.Context, tenant *service.Tenant, in service.BackfillInput) (service.BackfillResult, error) {
		return result(tenant.Upkeep.Backfill(ctx, in))
	},
}

var consolidateTool = tool[service.ConsolidateInput, service.Consolidation]{
	name: "consolidate", title: "Sum up old episodes", hints: idempotent,
	about: "Says what recurs in episodes older than 7 days (outcomes, failing steps, reactions, corrections), and with dryRun false keeps it as observations. What was kept before is not kept again.",
	run: func(ctx context.Context, tenant *service.Tenant, in service.ConsolidateInput) (service.Consolidation, error) {
		found, err := result(tenant.Upkeep.Consolidate(ctx, in))
		if !found.HasMore { // there is nothing to go on with, and what was asked is not repeated
			found.LastAgentID = nil
		}
		return found, err
	},
}

var forgetRecordTool = tool[forgetRecordInput, forgetRecordOutput]{
	name: "forget_record", title: "Forget a record", hints: deletes,
	about: "Deletes an episode, with what was shown in it and said of it, or one feedback, for good. Call it only where a person asks for that.",
	run:   forgetRecord,
}

type forgetRecordInput struct {
	ID string `json:"id" jsonschema:"The record, by global id: episode:key or feedback:key."`
}

type forgetRecordOutput struct {
	DeletedID string `json:"deletedId"`
}

func forgetRecord(ctx context.Context, tenant *service.Tenant, in forgetRecordInput) (forgetRecordOutput, error) {
	kind, _, _ := memory.SplitID(in.ID)
	var err error
	switch kind {
	case memory.KindEpisode:
		_, err = tenant.Upkeep.DeleteEpisode(ctx, service.DeleteEpisodeInput(in))
	case memory.KindFeedback:
		_, err = tenant.Upkeep.DeleteFeedback(ctx, service.DeleteFeedbackInput{ID: &in.ID})
	default:
		err = memory.Invalid("id", "must be that of an episode or a feedback, such as episode:run-7; agents and people are forgotten by the operator, with mneme forget")
	}
	return forgetRecordOutput{DeletedID: in.ID}, err
}

// result is what a service method answers, as a tool does.
func result[T any](answer *T, err error) (T, error) {
	if err != nil {
		return *new(T), err
	}
	return *answer, nil
}
