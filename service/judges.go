package service

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
)

// Judges lists the distinct judges of all verdicts, sorted.
func (s *Service) Judges(ctx context.Context) ([]string, error) {
	t, err := s.tenant(ctx)
	if err != nil {
		return nil, err
	}
	judges, err := t.Judges(ctx)
	return judges, fault("the judges", err)
}

// JudgeTendencies says how a judge tends to decide, since an instant or ever. A judge that nobody knows has
// no verdicts.
func (s *Service) JudgeTendencies(ctx context.Context, judgeID string, since *time.Time) (*judging.JudgeTendencies, error) {
	t, err := s.tenant(ctx)
	if err != nil {
		return nil, err
	}
	b := s.question(ctx)
	query := store.JudgementQuery{Judge: new(b.label("judgeId", judgeID)), Since: b.optionalTime("since", since)}
	if b.err != nil {
		return nil, b.err
	}
	record := judging.NewJudgeRecord(*query.Judge)
	sum := store.BudgetOf(ctx).Sum()
	err = t.EachJudgement(store.Unmetered(ctx), query, func(j *memory.Judgement) error {
		record.Add(j)
		return sum.Add(1)
	})
	if err != nil {
		return nil, fault("the judge", err)
	}
	return record.Tendencies(), nil
}
