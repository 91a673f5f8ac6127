package mcpserver

import (
	"context"

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

var forgetRecordTool = tool[service.DeleteInput, service.DeletedRecord]{
	name: "forget_record", title: "Forget a record", hints: deletes,
	about: "Deletes an episode, with what was shown in it and said of it, a memoir with its concepts, or one concept, observation, correction, canvas or feedback, for good. Call it only where a person asks for that.",
	run: func(ctx context.Context, tenant *service.Tenant, in service.DeleteInput) (service.DeletedRecord, error) {
		return result(tenant.Upkeep.DeleteAny(ctx, in))
	},
}

// result is what a service method answers, as a tool does.
func result[T any](answer *T, err error) (T, error) {
	if err != nil {
		return *new(T), err
	}
	return *answer, nil
}
