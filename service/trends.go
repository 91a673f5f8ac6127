package service

import (
	"context"

	"mneme/memory"
	"mneme/memory/trends"
	"mneme/store"
)

// Trends charts how episodes turn out and what judges say over time. The chart ends now.
func (l *Learning) Trends(ctx context.Context, input TrendsInput) ([]trends.Point, error) {
	b := l.question(ctx)
	since := b.optionalTime("since", input.Since)
	filter := store.EpisodeFilter{
		Agent: b.optionalKey(memory.KindAgent, "agentId", input.AgentID), TaskType: b.optionalLabel("taskType", input.TaskType),
	}
	verdicts := store.JudgementQuery{Judge: b.optionalLabel("judgeId", input.JudgeID)}
	if b.err != nil {
		return nil, b.err
	}
	trends, err := trends.NewChart(input.Bucket, since, l.clock())
	if err != nil {
		return nil, err
	}
	filter.Since, verdicts.Since = new(trends.Since()), new(trends.Since())
	sum, ctx := store.BudgetOf(ctx).Sum(), store.Unmetered(ctx)
	if err := l.eachOutcome(ctx, sum, filter, trends.AddEpisode); err != nil {
		return nil, fault("the episodes", err)
	}
	err = l.store.EachJudgement(ctx, verdicts, func(j *memory.Judgement) error {
		trends.AddVerdict(j.At, j.Status, j.Score)
		return sum.Add(1)
	})
	if err != nil {
		return nil, fault("the verdicts", err)
	}
	return trends.Points(), nil
}
