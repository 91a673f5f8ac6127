package resolvers

import (
	"context"
	"mneme/service"
)

func (r *queryResolver) Recall(ctx context.Context, input service.RecallInput) (*service.Recall, error) {
	return tenant(ctx).Retrieval.Recall(ctx, input, includedInRecall(ctx))
}
