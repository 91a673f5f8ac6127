package recording

import (
	"context"

	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/service/tenancy"
	"mneme/store"
)

// SubmitFeedback records a person's reaction and answers it with its episode's aggregate score.
func (g *Reactions) SubmitFeedback(ctx context.Context, input boundary.SubmitFeedbackInput) (*FeedbackReceipt, error) {
	feedback, err := tenancy.RecordOne[memory.Feedback](ctx, g.t, memory.KindFeedback, input, (*boundary.Boundary).Feedback, tenancy.Keep)
	if err != nil {
		return nil, err
	}
	receipt := &FeedbackReceipt{Feedback: feedback}
	if feedback.EpisodeKey == nil {
		return receipt, nil
	}
	episodes, err := g.t.Store.Episodes(ctx, store.EpisodesByKey{Keys: []string{*feedback.EpisodeKey}, Parts: store.HeadOnly})
	if err == nil && episodes[0] != nil {
		receipt.AggregateFeedbackScore = episodes[0].AggregateFeedbackScore()
	}
	return receipt, faults.Of("the feedback", err)
}

// RecordFeedback records a batch in order and reports each item; a faulty one does not keep the others out.
func (g *Reactions) RecordFeedback(ctx context.Context, inputs []boundary.SubmitFeedbackInput) (*tenancy.BatchResult, error) {
	return tenancy.RecordBatch(ctx, g.t, memory.KindFeedback, "feedback", inputs, (*boundary.Boundary).Feedback, tenancy.Keep)
}

// EpisodeFeedback pages through all feedback on an episode, newest first; as of the episode's instant where it has one.
func (g *Reactions) EpisodeFeedback(ctx context.Context, episode *memory.Episode, input reading.PageInput) (*reading.Page[*memory.Feedback], error) {
	asOf := reading.AsOf(episode)
	request, err := reading.PageRequest(input, reading.Fingerprint("feedback", episode.Key, asOf), reading.UntilInstant(asOf))
	if err != nil {
		return nil, err
	}
	feedback := g.t.Feedback(store.FeedbackOf{Episode: &episode.Key, AsOf: asOf})
	if asOf != nil {
		feedback.Count = func(context.Context) (int, error) { return episode.FeedbackCount, nil } // read as of that instant
	}
	return feedback.Requested(ctx, request)
}

// ListFeedback pages through all feedback, newest first, or through what waits for its episode, or what does not.
func (g *Reactions) ListFeedback(ctx context.Context, waiting *bool, users boundary.UserFilter, input reading.PageInput) (*reading.Page[*memory.Feedback], error) {
	b := g.t.Question(ctx)
	query := store.FeedbackOf{Waiting: waiting, UserFilter: b.Users(users)}
	if b.Err() != nil {
		return nil, b.Err()
	}
	return g.t.Feedback(query).Page(ctx, input, reading.Fingerprint("all feedback", waiting, users))
}

// FeedbackReceipt is a feedback as recorded, and its episode's aggregate score including it; nil where
// its episode is not known yet.
type FeedbackReceipt struct {
	Feedback               *memory.Feedback
	AggregateFeedbackScore *float64
}
