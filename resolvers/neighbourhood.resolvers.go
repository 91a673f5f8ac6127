package resolvers

import (
	"context"
	"mneme/graph/relay"
	"mneme/service/boundary"
)

func (r *queryResolver) Neighbourhood(ctx context.Context, id string, depth *int, relations []string, direction *boundary.Direction, first *int, after *string) (*relay.Neighbourhood, error) {
	return r.around(ctx, id, depth, relations, direction, page(first, after))
}

func (r *queryResolver) Path(ctx context.Context, from string, to string, maxDepth *int, relations []string) (*relay.Neighbourhood, error) {
	return relay.Around(tenant(ctx).Retrieval.Path(ctx, boundary.PathInput{From: from, To: to, MaxDepth: maxDepth, Relations: relations}, included(ctx, "nodes", "node")))
}
