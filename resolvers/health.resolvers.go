package resolvers

import (
	"context"
	"mneme/service"
)

func (r *queryResolver) Health(ctx context.Context) (*service.Health, error) {
	return tenant(ctx).Upkeep.Health(ctx)
}
