package mcpserver

import (
	"context"

	"mneme/memory"
	"mneme/service"
)

var submitFeedbackTool = tool[service.SubmitFeedbackInput, submitFeedbackOutput]{
	name: "submit_feedback", title: "Submit a person's feedback", hints: adds,
	about: "Records how a person reacted to work: a thumb or a rating, and their corrections in words. Name what it is on by at least one of episodeId, canvasId, agentExecutionId and sessionId. Later recalls rank the work by it and show the corrections.",
	run:   submitFeedback,
}

type submitFeedbackOutput struct {
	ID                     string             `json:"id"`
	Score                  float64            `json:"score" jsonschema:"What the reaction counts, -1 to 1."`
	EpisodeID              string             `json:"episodeId,omitempty" jsonschema:"The episode it is on; left out while that is not known."`
	AggregateFeedbackScore *float64           `json:"aggregateFeedbackScore,omitempty" jsonschema:"The mean score of the episode's feedback, this included."`
	Redactions             []memory.Redaction `json:"redactions,omitempty" jsonschema:"Which private parts and secrets were taken out before it was kept."`
}

func submitFeedback(ctx context.Context, tenant *service.Tenant, in service.SubmitFeedbackInput) (submitFeedbackOutput, error) {
	receipt, err := tenant.Reactions.SubmitFeedback(ctx, in)
	if err != nil {
		return submitFeedbackOutput{}, err
	}
	f := receipt.Feedback
	return submitFeedbackOutput{
		ID: f.ID(), Score: f.Score, EpisodeID: optionalID(memory.KindEpisode, f.EpisodeKey),
		AggregateFeedbackScore: receipt.AggregateFeedbackScore, Redactions: f.Receipt.Redactions,
	}, nil
}
