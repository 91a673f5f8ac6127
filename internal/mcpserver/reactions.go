package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/tenancy"
)

var submitFeedbackTool = tool[boundary.SubmitFeedbackInput, submitFeedbackOutput]{
	name: "submit_feedback", title: "Submit a person's feedback", hints: adds, rule: access.Records.ForUsers(), core: true,
	about: "Records how a person reacted to work: a thumb or a rating, what they liked or disliked, and their corrections in words. Name what it is on by episodeId, canvasId (of what was shown), agentExecutionId or sessionId (the work shown before it). Later recalls rank the work by it and show what they said.",
	run:   submitFeedback,
}

type submitFeedbackOutput struct {
	ID                     string             `json:"id"`
	Score                  float64            `json:"score" jsonschema:"What the reaction counts, -1 to 1."`
	EpisodeID              string             `json:"episodeId,omitempty" jsonschema:"The episode it is on; left out while that is not known."`
	Note                   string             `json:"note,omitempty" jsonschema:"Says so where the feedback waits for an episode that is not known yet."`
	AggregateFeedbackScore *float64           `json:"aggregateFeedbackScore,omitempty" jsonschema:"The mean score of the episode's feedback, this included."`
	Redactions             []memory.Redaction `json:"redactions,omitempty" jsonschema:"What was private, and taken out."`
}

func submitFeedback(ctx context.Context, tenant *service.Tenant, in boundary.SubmitFeedbackInput) (submitFeedbackOutput, error) {
	receipt, err := tenant.Reactions.SubmitFeedback(ctx, in)
	if err != nil {
		return submitFeedbackOutput{}, err
	}
	f := receipt.Feedback
	output := submitFeedbackOutput{
		ID: f.ID(), Score: f.Score, EpisodeID: memory.OrZero(memory.OptionalID(memory.KindEpisode, f.EpisodeKey)),
		AggregateFeedbackScore: receipt.AggregateFeedbackScore, Redactions: f.Receipt.Redactions,
	}
	if f.Waiting() {
		output.Note = waits
	}
	return output, nil
}

// waits is said of feedback whose episode is not known.
const waits = "It waits, and counts nowhere yet: no episode is known by what it names. It is linked when that is recorded; check the ids if it should be there."

var recordCanvasActionsTool = tool[boundary.RecordCanvasActionsInput, canvasActionsOutput]{
	name: "record_canvas_actions", title: "Record canvas actions", hints: adds, rule: access.Records.ForUsers(), core: true,
	about: "Records what happened to things shown to a person (a chart, a form, a document): presented, closed, submitted, updated, executed. Answers which were not recorded, and why.",
	run:   recordCanvasActions,
}

type canvasActionsOutput struct {
	Recorded  int                  `json:"recorded"`
	CanvasIDs []string             `json:"canvasIds" jsonschema:"The canvases of the recorded actions, each once."`
	Failed    []tenancy.BatchError `json:"failed,omitempty" jsonschema:"The actions that were not recorded; mend these and send them alone."`
}

// recordCanvasActions fails as a whole only where nothing was recorded.
func recordCanvasActions(ctx context.Context, tenant *service.Tenant, in boundary.RecordCanvasActionsInput) (canvasActionsOutput, error) {
	result, err := tenant.Reactions.RecordCanvasActions(ctx, in)
	if err != nil {
		return canvasActionsOutput{}, err
	}
	if result.Succeeded == 0 && len(result.Errors) > 0 {
		return canvasActionsOutput{}, faultOfItem("actions", &result.Errors[0])
	}
	out := canvasActionsOutput{Recorded: result.Succeeded, CanvasIDs: []string{}, Failed: result.Errors}
	for _, id := range result.IDs {
		if id != nil && !slices.Contains(out.CanvasIDs, *id) {
			out.CanvasIDs = append(out.CanvasIDs, *id)
		}
	}
	return out, nil
}

// faultOfItem is the fault of a call that failed as an item of its list did.
func faultOfItem(list string, item *tenancy.BatchError) error {
	return renamed(item.Cause, func(field string) string {
		return strings.TrimSuffix(fmt.Sprint(list, ".", item.Index, ".", field), ".")
	})
}
