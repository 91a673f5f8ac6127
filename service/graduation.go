package service

import (
	"context"

	"mneme/memory"
	"mneme/memory/graduation"
	"mneme/store"
)

// AgentGraduation says how far an agent is trusted to work by itself, judged by all of its episodes.
func (l *Learning) AgentGraduation(ctx context.Context, agentKey string) (*graduation.Graduation, error) {
	sum, ctx := store.BudgetOf(ctx).Sum(), store.Unmetered(ctx)
	var outcomes []memory.EpisodeOutcome
	err := l.eachOutcome(ctx, sum, store.EpisodeFilter{Agent: &agentKey}, func(outcome memory.EpisodeOutcome) {
		outcomes = append(outcomes, outcome)
	})
	if err != nil {
		return nil, fault("the agent", err)
	}
	successes := graduation.CanvasSuccesses{}
	query := store.CanvasesOf{Agent: &agentKey}
	err = pagesOfCanvases(ctx, l.store, query, nil, func(canvases []*memory.Canvas) error {
		for _, canvas := range canvases {
			successes.Add(canvas)
		}
		return sum.Add(canvasWeight * len(canvases))
	})
	if err != nil {
		return nil, fault("the agent", err)
	}
	graduation := graduation.Of(outcomes, successes)
	return &graduation, nil
}

// eachOutcome hands over how the episodes of a filter turned out, the oldest first, and counts them.
func (l *Learning) eachOutcome(ctx context.Context, sum store.Sum, filter store.EpisodeFilter, each func(memory.EpisodeOutcome)) error {
	list := func(page store.Page) ([]memory.EpisodeOutcome, bool, error) {
		return l.store.EpisodeOutcomes(ctx, store.OutcomesOf{Filter: filter, Page: page})
	}
	count := func(outcomes []memory.EpisodeOutcome) error {
		if err := sum.Add(len(outcomes)); err != nil {
			return err
		}
		for _, outcome := range outcomes {
			each(outcome)
		}
		return nil
	}
	return eachPage(nil, list, count,
		func(o memory.EpisodeOutcome) store.Position { return store.Position{At: o.StartedAt, Key: o.Key} })
}
