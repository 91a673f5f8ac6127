package resolvers

import (
	"context"
	"mneme/memory"
	"time"
)

func (r *queryResolver) JudgeTendencies(ctx context.Context, judgeID string, since *time.Time) (*memory.JudgeTendencies, error) {
	return r.service.JudgeTendencies(ctx, judgeID, since)
}

func (r *queryResolver) Judges(ctx context.Context) ([]string, error) {
	return r.service.Judges(ctx)
}
