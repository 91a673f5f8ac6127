package resolvers

import (
	"context"
	"mneme/graph/relay"
	"mneme/memory/traversal"
	"mneme/service"
)

func (r *queryResolver) Neighbourhood(ctx context.Context, id string, depth *int, relations []string, direction *service.Direction, first *int, after *string) (*relay.Neighbourhood, error) {
	return r.around(ctx, id, depth, relations, direction, page(first, after))
}

func (r *queryResolver) Path(ctx context.Context, from string, to string, maxDepth *int) (*relay.Neighbourhood, error) {
	depth := traversal.MaxWalkDepth
	if maxDepth != nil {
		depth = *maxDepth
	}
	return relay.Around(tenant(ctx).Retrieval.Path(ctx, from, to, depth))
}
