package service

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
)

// SubmitFeedback records a person's reaction and answers it with its episode's aggregate score.
func (g *Reactions) SubmitFeedback(ctx context.Context, input SubmitFeedbackInput) (*FeedbackReceipt, error) {
	record, err := g.feedbackRecord(ctx, input)
	if err != nil {
		return nil, err
	}
	recorded, err := g.recordFeedback(ctx, []store.FeedbackRecord{record})
	if err == nil {
		err = recorded[0].Err
	}
	if err != nil {
		return nil, fault("the feedback", err)
	}
	return g.feedbackReceipt(ctx, record.Feedback.Key)
}

// RecordFeedback records a batch in order and reports each item; a faulty one does not keep the others out.
func (g *Reactions) RecordFeedback(ctx context.Context, inputs []SubmitFeedbackInput) (*BatchResult, error) {
	if err := checkBatch("feedback", len(inputs)); err != nil {
		return nil, err
	}
	records, faults, err := convert(ctx, g.tenant, inputs, func(ctx context.Context, item SubmitFeedbackInput) (store.FeedbackRecord, error) {
		return g.feedbackRecord(ctx, item)
	})
	if err != nil {
		return nil, err
	}
	recorded, err := g.recordFeedback(ctx, records)
	if err != nil {
		return nil, fault("the feedback", err)
	}
	return batch(memory.KindFeedback, "the feedback", len(inputs), faults, recorded), nil
}

func (g *Reactions) feedbackReceipt(ctx context.Context, key string) (*FeedbackReceipt, error) {
	found, err := g.store.Feedback(ctx, []string{key})
	if err != nil {
		return nil, fault("the feedback", err)
	}
	if found[0] == nil { // deleted since it was recorded
		return nil, fault("the feedback", store.ErrNotFound)
	}
	receipt := &FeedbackReceipt{Feedback: found[0]}
	if found[0].EpisodeKey == nil {
		return receipt, nil
	}
	episodes, err := g.store.Episodes(ctx, store.EpisodesByKey{Keys: []string{*found[0].EpisodeKey}})
	if err != nil {
		return nil, fault("the feedback", err)
	}
	if episodes[0] != nil {
		receipt.AggregateFeedbackScore = episodes[0].AggregateFeedbackScore()
	}
	return receipt, nil
}

func (g *Reactions) feedbackRecord(ctx context.Context, input SubmitFeedbackInput) (store.FeedbackRecord, error) {
	record, known, err := identified(ctx, g.tenant, func(b *boundary) (store.FeedbackRecord, any) { return g.feedbackOf(b, input) })
	record.InputHash, record.Former = known.hash, known.former
	return record, err
}

// FeedbackByKey reads feedback in the order of the keys, nil where there is none.
func (g *Reactions) FeedbackByKey(ctx context.Context, keys []string) ([]*memory.Feedback, error) {
	feedback, err := g.store.Feedback(ctx, keys)
	return feedback, fault("the feedback", err)
}

// EpisodeFeedback pages through all feedback on an episode, newest first; as of the episode's instant
// where it has one.
func (g *Reactions) EpisodeFeedback(ctx context.Context, episode *memory.Episode, input PageInput) (*Page[*memory.Feedback], error) {
	asOf := asOfOf(episode)
	request, err := pageRequest(input, fingerprint("feedback", episode.Key, asOf), untilInstant(asOf))
	if err != nil {
		return nil, err
	}
	query := store.FeedbackOf{Episode: &episode.Key, Page: request.page}
	feedback, more, err := g.store.ListFeedback(ctx, query)
	if err != nil {
		return nil, fault("the episode", err)
	}
	total := func(ctx context.Context) (int, error) {
		if asOf != nil {
			return episode.FeedbackCount, nil // read as of that instant
		}
		count, err := g.store.CountFeedback(ctx, query)
		return count, fault("the episode", err)
	}
	return newPage(request, feedback, more, total, func(f *memory.Feedback) store.Position {
		return store.Position{At: f.CreatedAt, Key: f.Key}
	}), nil
}

func (g *Reactions) everyFeedback(ctx context.Context, query store.FeedbackOf, asOf *time.Time) (all []*memory.Feedback, err error) {
	err = g.pagesOfFeedback(ctx, query, asOf, func(feedback []*memory.Feedback) error {
		all = append(all, feedback...)
		return nil
	})
	return all, err
}

// pagesOfFeedback hands over the feedback on an owner, the newest first.
func (g *Reactions) pagesOfFeedback(ctx context.Context, query store.FeedbackOf, asOf *time.Time, each func([]*memory.Feedback) error) error {
	list := func(page store.Page) ([]*memory.Feedback, bool, error) {
		query.Page = page
		return g.store.ListFeedback(ctx, query)
	}
	return eachPage(untilInstant(asOf), list, each,
		func(f *memory.Feedback) store.Position { return store.Position{At: f.CreatedAt, Key: f.Key} })
}
