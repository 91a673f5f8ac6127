package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/memory/judging"
	"mneme/service/boundary"
	"time"
)

func (r *mutationResolver) ApplyJudgeThreshold(ctx context.Context, input boundary.ApplyJudgeThresholdInput) (*graph.ApplyJudgeThresholdPayload, error) {
	threshold, err := tenant(ctx).Judging.ApplyJudgeThreshold(ctx, input)
	return &graph.ApplyJudgeThresholdPayload{Threshold: threshold}, err
}

func (r *queryResolver) JudgeTendencies(ctx context.Context, judgeID string, since *time.Time) (*judging.JudgeTendencies, error) {
	return tenant(ctx).Judging.JudgeTendencies(ctx, judgeID, since)
}

func (r *queryResolver) Judges(ctx context.Context) ([]string, error) {
	return tenant(ctx).Judging.Judges(ctx)
}
