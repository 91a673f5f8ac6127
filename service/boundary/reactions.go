package boundary

import (
	"cmp"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/store"
)

// CanvasAction is the record of what happened to a canvas.
func (b *Boundary) CanvasAction(input CanvasActionInput) (store.CanvasActionRecord, error) {
	b.Require(input.Action.Valid(), "action", "must be PRESENT, CLOSE, SUBMIT, UPDATE or EXECUTE")
	at := b.OptionalTime("at", input.At)
	record := store.CanvasActionRecord{
		Canvas:        b.Key(memory.KindCanvas, "canvasId", input.CanvasID),
		Episode:       b.optionalOther(memory.KindEpisode, "episodeId", input.EpisodeID),
		Session:       b.OptionalKey(memory.KindSession, "sessionId", input.SessionID),
		CanvasType:    b.Label("canvasType", input.CanvasType),
		ComponentType: b.OptionalLabel("componentType", input.ComponentType),
		User:          b.userID(input.UserID),
		Action: memory.CanvasAction{
			ID: memory.ValueOr(b.OptionalLabel("id", input.ID), ""), Action: input.Action, Metadata: b.json("metadata", input.Metadata), At: memory.OrZero(at),
		},
	}
	record.InputHash = b.hash(record)
	record.Action.At = memory.ValueOr(at, b.Clock())
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
	b.Require(input.Source == nil || source.Valid(), "source", "must be CHAT, CANVAS or WORKFLOW")
	score, err := memory.FeedbackScore(input.Type, input.Rating)
	b.Fail(err)
	at := b.OptionalTime("at", input.At)
	feedback := memory.Feedback{
		Key:        keyOr(b.OptionalKey(memory.KindFeedback, "id", input.ID)),
		EpisodeKey: b.optionalOther(memory.KindEpisode, "episodeId", input.EpisodeID),
		CanvasKey:  b.optionalOther(memory.KindCanvas, "canvasId", input.CanvasID),
		SessionKey: b.OptionalKey(memory.KindSession, "sessionId", input.SessionID),
		UserID:     b.userID(input.UserID),
		Reaction: memory.Reaction{
			Type: input.Type, Rating: input.Rating, Score: score, Source: source,
			Corrections:      b.Optional("corrections", input.Corrections),
			Comment:          b.Optional("comment", input.Comment),
			AgentExecutionID: b.OptionalLabel("agentExecutionId", input.AgentExecutionID),
			CreatedBy:        b.OptionalLabel("createdBy", input.CreatedBy),
			CreatedAt:        memory.OrZero(at),
		},
		Replaces:   b.optionalOther(memory.KindFeedback, "replaces", input.Replaces),
		ReplacedAt: nil, Receipt: memory.Receipt{}, // below
	}
	on := cmp.Or(feedback.EpisodeKey, feedback.CanvasKey, feedback.SessionKey, feedback.AgentExecutionID, feedback.Replaces)
	b.Require(on != nil, "episodeId", "say what the feedback is on: episodeId, agentExecutionId, canvasId or sessionId")
	if b.caller.User != "" && feedback.EpisodeKey == nil && feedback.AgentExecutionID != nil {
		b.Fail(&memory.Error{Code: memory.CodeForbidden, Field: "agentExecutionId", Message: "may be of another user's episode, and the key is bound to one: say the episodeId"})
	}
	record := store.FeedbackRecord{Feedback: feedback, InputHash: b.hash(feedback), ByAdmin: b.caller.Role.May(access.Administer)}
	record.Feedback.CreatedAt, record.Feedback.Receipt = memory.ValueOr(at, b.Clock()), b.redacting.Receipt()
	return record, b.err
}
