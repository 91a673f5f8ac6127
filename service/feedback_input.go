package service

import (
	"time"

	"mneme/memory"
	"mneme/store"
)

// SubmitFeedbackInput is a person's reaction. At least one of the ids says to what. What `jsonschema` says is for the
// models that call the tool.
type SubmitFeedbackInput struct {
	ID               *string                `json:"id,omitempty" jsonschema:"The key to record it under; one is made where it is left out."`
	EpisodeID        *string                `json:"episodeId,omitempty" jsonschema:"The episode it is on, by id or key."`
	CanvasID         *string                `json:"canvasId,omitempty" jsonschema:"The canvas it is on, by id or key."`
	SessionID        *string                `json:"sessionId,omitempty" jsonschema:"The conversation it was given in, by id or key."`
	AgentExecutionID *string                `json:"agentExecutionId,omitempty" jsonschema:"An execution it is on, as an episode's executionIds name it."`
	Type             memory.FeedbackType    `json:"type" jsonschema:"The form of the reaction."`
	Rating           *int                   `json:"rating,omitempty" jsonschema:"1 (worst) to 5 (best), with the type RATING only."`
	Corrections      *string                `json:"corrections,omitempty" jsonschema:"What the person would have had done instead, in their words."`
	Comment          *string                `json:"comment,omitempty" jsonschema:"What the person liked or disliked, in their words; what they would have had done instead belongs in corrections."`
	Source           *memory.FeedbackSource `json:"source,omitempty" jsonschema:"Where the person reacted; CHAT where it is left out."`
	CreatedBy        *string                `json:"createdBy,omitempty" jsonschema:"Who it was."`
	At               *time.Time             `json:"at,omitempty" jsonschema:"When it was; now where it is left out."`
}

func (g *Reactions) feedbackOf(b *boundary, input SubmitFeedbackInput) (store.FeedbackRecord, any) {
	source := memory.SourceChat
	if input.Source != nil {
		source = *input.Source
	}
	clean := SubmitFeedbackInput{
		ID:               b.optionalKey(memory.KindFeedback, "id", input.ID),
		EpisodeID:        b.optionalKey(memory.KindEpisode, "episodeId", input.EpisodeID),
		CanvasID:         b.optionalKey(memory.KindCanvas, "canvasId", input.CanvasID),
		SessionID:        b.optionalKey(memory.KindSession, "sessionId", input.SessionID),
		AgentExecutionID: b.optionalLabel("agentExecutionId", input.AgentExecutionID),
		Type:             input.Type,
		Rating:           input.Rating,
		Corrections:      b.optional("corrections", input.Corrections),
		Comment:          b.optional("comment", input.Comment),
		Source:           &source,
		CreatedBy:        b.optionalLabel("createdBy", input.CreatedBy),
		At:               b.optionalTime("at", input.At),
	}
	if clean.EpisodeID == nil && clean.CanvasID == nil && clean.SessionID == nil && clean.AgentExecutionID == nil {
		b.fail(memory.Invalid("episodeId", "say what the feedback is on: episodeId, agentExecutionId, canvasId or sessionId"))
	}
	if !source.Valid() {
		b.fail(memory.Invalid("source", "must be CHAT, CANVAS or WORKFLOW"))
	}
	score, err := memory.FeedbackScore(input.Type, input.Rating)
	b.fail(err)
	if b.err != nil {
		return store.FeedbackRecord{}, nil
	}
	feedback := memory.Feedback{
		Key: keyOr(clean.ID), EpisodeKey: clean.EpisodeID, CanvasKey: clean.CanvasID, SessionKey: clean.SessionID,
		Reaction: memory.Reaction{
			Type: clean.Type, Rating: clean.Rating, Score: score, Corrections: clean.Corrections, Comment: clean.Comment, Source: source,
			AgentExecutionID: clean.AgentExecutionID, CreatedBy: clean.CreatedBy, CreatedAt: g.clock(),
		},
		Receipt: b.redactor.Receipt(),
	}
	if clean.At != nil {
		feedback.CreatedAt = *clean.At
	}
	return store.FeedbackRecord{Feedback: feedback}, clean
}

func (b *boundary) restoreFeedback(i *store.FeedbackItem) {
	b.written(i.InputHash)
	f := &i.Feedback
	*f = memory.Feedback{
		Key: b.keyed(memory.KindFeedback, "key", f.Key), EpisodeKey: b.optionalReference("episode", f.EpisodeKey),
		CanvasKey: b.optionalReference("canvas", f.CanvasKey), SessionKey: b.optionalReference("session", f.SessionKey),
		Reaction: memory.Reaction{
			Type: f.Type, Rating: f.Rating, Score: f.Score, Corrections: b.optional("corrections", f.Corrections),
			Comment: b.optional("comment", f.Comment), Source: f.Source,
			AgentExecutionID: b.optionalLabel("agentExecutionId", f.AgentExecutionID), CreatedBy: b.optionalLabel("createdBy", f.CreatedBy),
			CreatedAt: b.time("createdAt", f.CreatedAt),
		},
		Receipt: f.Receipt,
	}
	i.Linked = b.optionalReference("linked", i.Linked)
	b.receipt(&f.Receipt)
}
