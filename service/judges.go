package service

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
)

// Judges lists the distinct judges of all verdicts, sorted.
func (g *Judging) Judges(ctx context.Context) ([]string, error) {
	judges, err := g.store.Judges(ctx)
	return judges, fault("the judges", err)
}

// JudgeTendencies says how a judge tends to decide, since an instant or ever. A judge that nobody knows has
// no verdicts.
func (g *Judging) JudgeTendencies(ctx context.Context, judgeID string, since *time.Time) (*judging.JudgeTendencies, error) {
	b := g.question(ctx)
	query := store.JudgementQuery{Judge: new(b.label("judgeId", judgeID)), Since: b.optionalTime("since", since)}
	if b.err != nil {
		return nil, b.err
	}
	record := judging.NewJudgeRecord(*query.Judge)
	sum := store.BudgetOf(ctx).Sum()
	err := g.store.EachJudgement(store.Unmetered(ctx), query, func(j *memory.Judgement) error {
		record.Add(j)
		return sum.Add(1)
	})
	if err != nil {
		return nil, fault("the judge", err)
	}
	return record.Tendencies(), nil
}
