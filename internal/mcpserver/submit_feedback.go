package mcpserver

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/service"
)

var submitFeedbackTool = tool[submitFeedbackInput, submitFeedbackOutput]{
	name: "submit_feedback", title: "Submit a person's feedback", hints: adds,
	about: "Records how a person reacted to work: a thumb or a rating, and their corrections in words. Name what it is on by at least one of episodeId, canvasId, agentExecutionId and sessionId. Later recalls rank the work by it and show the corrections.",
	run:   submitFeedback,
}

// submitFeedbackInput describes service.SubmitFeedbackInput.
type submitFeedbackInput struct {
	ID               *string                `json:"id,omitempty" jsonschema:"The key to record it under; one is made where it is left out."`
	EpisodeID        *string                `json:"episodeId,omitempty" jsonschema:"The episode it is on, by id or key."`
	CanvasID         *string                `json:"canvasId,omitempty" jsonschema:"The canvas it is on, by id or key."`
	SessionID        *string                `json:"sessionId,omitempty" jsonschema:"The conversation it was given in, by id or key."`
	AgentExecutionID *string                `json:"agentExecutionId,omitempty" jsonschema:"An execution it is on, as an episode's executionIds name it."`
	Type             memory.FeedbackType    `json:"type" jsonschema:"The form of the reaction."`
	Rating           *int                   `json:"rating,omitempty" jsonschema:"1 (worst) to 5 (best), with the type RATING only."`
	Corrections      *string                `json:"corrections,omitempty" jsonschema:"What the person would have had done instead, in their words."`
	Source           *memory.FeedbackSource `json:"source,omitempty" jsonschema:"Where the person reacted; CHAT where it is left out."`
	CreatedBy        *string                `json:"createdBy,omitempty" jsonschema:"Who it was."`
	At               *time.Time             `json:"at,omitempty" jsonschema:"When it was; now where it is left out."`
}

type submitFeedbackOutput struct {
	ID                     string             `json:"id"`
	Score                  float64            `json:"score" jsonschema:"What the reaction counts, -1 to 1."`
	EpisodeID              string             `json:"episodeId,omitempty" jsonschema:"The episode it is on; left out while that is not known."`
	AggregateFeedbackScore *float64           `json:"aggregateFeedbackScore,omitempty" jsonschema:"The mean score of the episode's feedback, this included."`
	Redactions             []memory.Redaction `json:"redactions,omitempty" jsonschema:"Which private parts and secrets were taken out before it was kept."`
}

func submitFeedback(ctx context.Context, tenant *service.Tenant, in submitFeedbackInput) (submitFeedbackOutput, error) {
	receipt, err := tenant.Reactions.SubmitFeedback(ctx, service.SubmitFeedbackInput(in))
	if err != nil {
		return submitFeedbackOutput{}, err
	}
	f := receipt.Feedback
	return submitFeedbackOutput{
		ID: f.ID(), Score: f.Score, EpisodeID: optionalID(memory.KindEpisode, f.EpisodeKey),
		AggregateFeedbackScore: receipt.AggregateFeedbackScore, Redactions: f.Receipt.Redactions,
	}, nil
}
