package resolvers

import (
	"context"
	"mneme/memory/judging"
	"time"
)

func (r *queryResolver) JudgeTendencies(ctx context.Context, judgeID string, since *time.Time) (*judging.JudgeTendencies, error) {
	return r.service.JudgeTendencies(ctx, judgeID, since)
}

func (r *queryResolver) Judges(ctx context.Context) ([]string, error) {
	return r.service.Judges(ctx)
}
