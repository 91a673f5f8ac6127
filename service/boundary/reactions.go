package boundary

import (
	"cmp"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/store"
)

// CanvasAction is the record of what happened to a canvas.
func (b *Boundary) CanvasAction(input CanvasActionInput) (store.CanvasActionRecord, error) {
	clean := CanvasActionInput{
		ID:            b.OptionalLabel("id", input.ID),
		CanvasID:      b.Key(memory.KindCanvas, "canvasId", input.CanvasID),
		EpisodeID:     b.optionalOther(memory.KindEpisode, "episodeId", input.EpisodeID),
		SessionID:     b.OptionalKey(memory.KindSession, "sessionId", input.SessionID),
		CanvasType:    b.Label("canvasType", input.CanvasType),
		ComponentType: b.OptionalLabel("componentType", input.ComponentType),
		UserID:        b.userID(input.UserID),
		Action:        input.Action,
		Metadata:      b.json("metadata", input.Metadata),
		At:            b.OptionalTime("at", input.At),
	}
	b.Require(input.Action.Valid(), "action", "must be PRESENT, CLOSE, SUBMIT, UPDATE or EXECUTE")
	record := store.CanvasActionRecord{
		InputHash: b.hash(clean), Canvas: clean.CanvasID, Episode: clean.EpisodeID, Session: clean.SessionID,
		CanvasType: clean.CanvasType, ComponentType: clean.ComponentType, User: clean.UserID,
		Action: memory.CanvasAction{
			ID: ValueOr(clean.ID, ""), Action: clean.Action, Metadata: clean.Metadata, At: ValueOr(clean.At, b.Clock()),
		},
	}
	return record, b.err
}

// Feedback is the record of what a person said.
func (b *Boundary) Feedback(input SubmitFeedbackInput) (store.FeedbackRecord, error) {
	source := memory.SourceChat
	switch {
	case input.Source != nil:
		source = *input.Source
	case input.CanvasID != nil:
		source = memory.SourceCanvas
	case input.Replaces != nil:
		source = "" // that of the earlier
	}
	clean := SubmitFeedbackInput{
		ID:               b.OptionalKey(memory.KindFeedback, "id", input.ID),
		EpisodeID:        b.optionalOther(memory.KindEpisode, "episodeId", input.EpisodeID),
		CanvasID:         b.optionalOther(memory.KindCanvas, "canvasId", input.CanvasID),
		SessionID:        b.OptionalKey(memory.KindSession, "sessionId", input.SessionID),
		UserID:           b.userID(input.UserID),
		AgentExecutionID: b.OptionalLabel("agentExecutionId", input.AgentExecutionID),
		Type:             input.Type,
		Rating:           input.Rating,
		Corrections:      b.Optional("corrections", input.Corrections),
		Comment:          b.Optional("comment", input.Comment),
		Source:           &source,
		CreatedBy:        b.OptionalLabel("createdBy", input.CreatedBy),
		At:               b.OptionalTime("at", input.At),
		Replaces:         b.optionalOther(memory.KindFeedback, "replaces", input.Replaces),
	}
	on := cmp.Or(clean.EpisodeID, clean.CanvasID, clean.SessionID, clean.AgentExecutionID, clean.Replaces)
	b.Require(on != nil, "episodeId", "say what the feedback is on: episodeId, agentExecutionId, canvasId or sessionId")
	if b.caller.User != "" && clean.EpisodeID == nil && clean.AgentExecutionID != nil {
		b.Fail(&memory.Error{Code: memory.CodeForbidden, Field: "agentExecutionId", Message: "may be of another user's episode, and the key is bound to one: say the episodeId"})
	}
	b.Require(input.Source == nil || source.Valid(), "source", "must be CHAT, CANVAS or WORKFLOW")
	score, err := memory.FeedbackScore(input.Type, input.Rating)
	b.Fail(err)
	feedback := memory.Feedback{
		Key: keyOr(clean.ID), EpisodeKey: clean.EpisodeID, CanvasKey: clean.CanvasID, SessionKey: clean.SessionID, UserID: clean.UserID,
		Reaction: memory.Reaction{
			Type: clean.Type, Rating: clean.Rating, Score: score, Corrections: clean.Corrections, Comment: clean.Comment, Source: source,
			AgentExecutionID: clean.AgentExecutionID, CreatedBy: clean.CreatedBy, CreatedAt: ValueOr(clean.At, b.Clock()),
		},
		Replaces: clean.Replaces, ReplacedAt: nil, Receipt: b.redacting.Receipt(),
	}
	record := store.FeedbackRecord{
		Feedback: feedback, InputHash: b.hash(clean), ByAdmin: b.caller.Role.May(access.Administer),
	}
	return record, b.err
}
