package service

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/store"
)

// SubmitFeedback records a person's reaction and answers it with its episode's aggregate score.
func (g *Reactions) SubmitFeedback(ctx context.Context, input SubmitFeedbackInput) (*FeedbackReceipt, error) {
	feedback, err := recordOne[memory.Feedback](ctx, g.tenant, memory.KindFeedback, input, g.feedbackRecord, keeper[store.FeedbackRecord](g.tenant))
	if err != nil {
		return nil, err
	}
	receipt := &FeedbackReceipt{Feedback: feedback}
	if feedback.EpisodeKey == nil {
		return receipt, nil
	}
	episodes, err := g.store.Episodes(ctx, store.EpisodesByKey{Keys: []string{*feedback.EpisodeKey}, Parts: store.HeadOnly})
	if err == nil && episodes[0] != nil {
		receipt.AggregateFeedbackScore = episodes[0].AggregateFeedbackScore()
	}
	return receipt, fault("the feedback", err)
}

// RecordFeedback records a batch in order and reports each item; a faulty one does not keep the others out.
func (g *Reactions) RecordFeedback(ctx context.Context, inputs []SubmitFeedbackInput) (*BatchResult, error) {
	return recordBatch(ctx, g.tenant, memory.KindFeedback, "feedback", inputs, g.feedbackRecord, keeper[store.FeedbackRecord](g.tenant))
}

func (g *Reactions) feedbackRecord(ctx context.Context, input SubmitFeedbackInput) (store.FeedbackRecord, error) {
	b := g.boundary(ctx)
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
		ID:               b.optionalKey(memory.KindFeedback, "id", input.ID),
		EpisodeID:        b.optionalOther(memory.KindEpisode, "episodeId", input.EpisodeID),
		CanvasID:         b.optionalOther(memory.KindCanvas, "canvasId", input.CanvasID),
		SessionID:        b.optionalKey(memory.KindSession, "sessionId", input.SessionID),
		UserID:           b.userID(input.UserID),
		AgentExecutionID: b.optionalLabel("agentExecutionId", input.AgentExecutionID),
		Type:             input.Type,
		Rating:           input.Rating,
		Corrections:      b.optional("corrections", input.Corrections),
		Comment:          b.optional("comment", input.Comment),
		Source:           &source,
		CreatedBy:        b.optionalLabel("createdBy", input.CreatedBy),
		At:               b.optionalTime("at", input.At),
		Replaces:         b.optionalOther(memory.KindFeedback, "replaces", input.Replaces),
	}
	if clean.EpisodeID == nil && clean.CanvasID == nil && clean.SessionID == nil && clean.AgentExecutionID == nil && clean.Replaces == nil {
		b.fail(memory.Invalid("episodeId", "say what the feedback is on: episodeId, agentExecutionId, canvasId or sessionId"))
	}
	if b.user != "" && clean.EpisodeID == nil && clean.AgentExecutionID != nil {
		b.fail(&memory.Error{Code: memory.CodeForbidden, Field: "agentExecutionId", Message: "may be of another user's episode, and the key is bound to one: say the episodeId"})
	}
	if input.Source != nil && !source.Valid() {
		b.fail(memory.Invalid("source", "must be CHAT, CANVAS or WORKFLOW"))
	}
	score, err := memory.FeedbackScore(input.Type, input.Rating)
	b.fail(err)
	feedback := memory.Feedback{
		Key: keyOr(clean.ID), EpisodeKey: clean.EpisodeID, CanvasKey: clean.CanvasID, SessionKey: clean.SessionID, UserID: clean.UserID,
		Reaction: memory.Reaction{
			Type: clean.Type, Rating: clean.Rating, Score: score, Corrections: clean.Corrections, Comment: clean.Comment, Source: source,
			AgentExecutionID: clean.AgentExecutionID, CreatedBy: clean.CreatedBy, CreatedAt: valueOr(clean.At, g.clock()),
		},
		Replaces: clean.Replaces, ReplacedAt: nil, Receipt: b.redactor.Receipt(),
	}
	record := store.FeedbackRecord{
		Feedback: feedback, InputHash: g.inputHash(ctx, b, clean), ByAdmin: access.Of(ctx).Role.May(access.Administer),
	}
	return record, b.err
}

// EpisodeFeedback pages through all feedback on an episode, newest first; as of the episode's instant
// where it has one.
func (g *Reactions) EpisodeFeedback(ctx context.Context, episode *memory.Episode, input PageInput) (*Page[*memory.Feedback], error) {
	asOf := asOfOf(episode)
	request, err := pageRequest(input, fingerprint("feedback", episode.Key, asOf), untilInstant(asOf))
	if err != nil {
		return nil, err
	}
	feedback := g.feedback(store.FeedbackOf{Episode: &episode.Key, AsOf: asOf})
	if asOf != nil {
		feedback.count = func(context.Context) (int, error) { return episode.FeedbackCount, nil } // read as of that instant
	}
	return feedback.requested(ctx, request)
}

// ListFeedback pages through all feedback, newest first, or through what waits for its episode, or what does not.
func (g *Reactions) ListFeedback(ctx context.Context, waiting *bool, users UserFilter, input PageInput) (*Page[*memory.Feedback], error) {
	b := g.question(ctx)
	query := store.FeedbackOf{Waiting: waiting, UserFilter: b.users(users)}
	if b.err != nil {
		return nil, b.err
	}
	return g.feedback(query).page(ctx, input, fingerprint("all feedback", waiting, users))
}

// feedback is the list of feedback that a query keeps, the newest first.
func (g *Reactions) feedback(query store.FeedbackOf) list[*memory.Feedback] {
	return listOf(g.store, "the feedback", query)
}

// SubmitFeedbackInput is a person's reaction. At least one of the ids says to what, or what it replaces does.
type SubmitFeedbackInput struct {
	ID               *string                `json:"id,omitempty" jsonschema:"The key to record it under; one is made by default."`
	EpisodeID        *string                `json:"episodeId,omitempty" jsonschema:"The episode it is on, by id or key."`
	CanvasID         *string                `json:"canvasId,omitempty" jsonschema:"The canvas it is on, by id or key."`
	SessionID        *string                `json:"sessionId,omitempty" jsonschema:"The conversation it was given in, by id or key."`
	UserID           *string                `json:"userId,omitempty" jsonschema:"For whom; by default as its episode."`
	AgentExecutionID *string                `json:"agentExecutionId,omitempty" jsonschema:"An execution it is on, as an episode's executionIds name it."`
	Type             memory.FeedbackType    `json:"type" jsonschema:"The form of the reaction."`
	Rating           *int                   `json:"rating,omitempty" jsonschema:"1 (worst) to 5 (best), with RATING, or beside a thumb that it does not contradict."`
	Corrections      *string                `json:"corrections,omitempty" jsonschema:"What the person would have had done instead, in their words."`
	Comment          *string                `json:"comment,omitempty" jsonschema:"What the person liked or disliked, in their words; what they would have had done instead belongs in corrections."`
	Source           *memory.FeedbackSource `json:"source,omitempty" jsonschema:"Where the person reacted; left out, CANVAS with a canvasId, else CHAT."`
	CreatedBy        *string                `json:"createdBy,omitempty" jsonschema:"Who it was."`
	At               *time.Time             `json:"at,omitempty" jsonschema:"When it was; now by default."`
	Replaces         *string                `json:"replaces,omitempty" jsonschema:"An earlier feedback, by id or key, that counts no more, such as a changed vote; needs the same createdBy, or an admin."`
}

func (b *boundary) restoreFeedback(i *store.FeedbackItem) {
	f := &i.Feedback
	*f = memory.Feedback{
		Key: b.label("key", f.Key), EpisodeKey: b.optionalLabel("episode", f.EpisodeKey),
		CanvasKey: b.optionalLabel("canvas", f.CanvasKey), SessionKey: b.optionalLabel("session", f.SessionKey),
		UserID: b.optionalLabel("userId", f.UserID),
		Reaction: memory.Reaction{
			Type: f.Type, Rating: f.Rating, Score: f.Score, Corrections: b.optional("corrections", f.Corrections),
			Comment: b.optional("comment", f.Comment), Source: f.Source,
			AgentExecutionID: b.optionalLabel("agentExecutionId", f.AgentExecutionID), CreatedBy: b.optionalLabel("createdBy", f.CreatedBy),
			CreatedAt: b.time("createdAt", f.CreatedAt),
		},
		Replaces: b.optionalLabel("replaces", f.Replaces), ReplacedAt: f.ReplacedAt, Receipt: f.Receipt,
	}
	i.Linked = b.optionalLabel("linked", i.Linked)
	b.receipt(&f.Receipt)
}
