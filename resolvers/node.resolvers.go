package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/memory"
)

func (r *queryResolver) Node(ctx context.Context, id string) (memory.Node, error) {
	return tenant(ctx).Retrieval.Node(ctx, id)
}

func (r *queryResolver) Nodes(ctx context.Context, ids []string) ([]memory.Node, error) {
	return tenant(ctx).Retrieval.Nodes(ctx, ids, included(ctx))
}

func (r *Resolver) Query() graph.QueryResolver { return &queryResolver{r} }

type queryResolver struct{ *Resolver }
