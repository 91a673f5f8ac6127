package resolvers

import (
	"context"
	"mneme/memory/judging"
	"time"
)

func (r *queryResolver) JudgeTendencies(ctx context.Context, judgeID string, since *time.Time) (*judging.JudgeTendencies, error) {
	return tenant(ctx).Judging.JudgeTendencies(ctx, judgeID, since)
}

func (r *queryResolver) Judges(ctx context.Context) ([]string, error) {
	return tenant(ctx).Judging.Judges(ctx)
}
