package service

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// AgentGraduation says how far an agent is trusted to work by itself, judged by all of its episodes.
func (s *Service) AgentGraduation(ctx context.Context, agentKey string) (*memory.Graduation, error) {
	t, err := s.tenant(ctx)
	if err != nil {
		return nil, err
	}
	var outcomes []memory.EpisodeOutcome
	err = t.eachOutcome(ctx, store.EpisodeFilter{Agent: &agentKey}, func(outcome memory.EpisodeOutcome) {
		outcomes = append(outcomes, outcome)
	})
	if err != nil {
		return nil, fault("the agent", err)
	}
	successes := memory.CanvasSuccesses{}
	if err := t.eachCanvas(store.Unmetered(ctx), store.CanvasesOf{Agent: &agentKey}, nil, successes.Add); err != nil {
		return nil, fault("the agent", err)
	}
	graduation := memory.Graduate(outcomes, successes)
	return &graduation, nil
}

// eachOutcome hands over how the episodes of a filter turned out, the oldest first.
func (t *tenant) eachOutcome(ctx context.Context, filter store.EpisodeFilter, each func(memory.EpisodeOutcome)) error {
	ctx = store.Unmetered(ctx) // a few numbers of each are kept, if that
	query := store.OutcomesOf{Filter: filter, Page: store.Page{Limit: readAll}}
	for {
		outcomes, more, err := t.EpisodeOutcomes(ctx, query)
		if err != nil {
			return err
		}
		for _, outcome := range outcomes {
			each(outcome)
		}
		if !more {
			return nil
		}
		last := outcomes[len(outcomes)-1]
		query.Page.After = &store.Position{At: last.StartedAt, Key: last.Key}
	}
}
