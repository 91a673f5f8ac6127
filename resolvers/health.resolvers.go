package resolvers

import (
	"context"
	"mneme/service/upkeep"
)

func (r *queryResolver) Health(ctx context.Context) (*upkeep.Health, error) {
	return tenant(ctx).Upkeep.Health(ctx)
}
