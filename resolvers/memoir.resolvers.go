package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/upkeep"
)

func (r *memoirResolver) Concepts(ctx context.Context, obj *memory.Memoir, first *int, after *string) (*relay.Connection[*memory.Concept], error) {
	return relay.Of(tenant(ctx).Knowledge.MemoirConcepts(ctx, obj.Key, page(first, after)))
}

func (r *mutationResolver) CreateMemoir(ctx context.Context, input boundary.CreateMemoirInput) (*graph.CreateMemoirPayload, error) {
	memoir, err := tenant(ctx).Knowledge.CreateMemoir(ctx, input)
	return &graph.CreateMemoirPayload{Memoir: memoir}, err
}

func (r *mutationResolver) DeleteMemoir(ctx context.Context, input boundary.DeleteInput) (*upkeep.DeletedRecord, error) {
	return tenant(ctx).Upkeep.Delete(ctx, memory.KindMemoir, input)
}

func (r *queryResolver) Memoir(ctx context.Context, id *string, name *string) (*memory.Memoir, error) {
	return tenant(ctx).Knowledge.Memoir(ctx, id, name)
}

func (r *queryResolver) Memoirs(ctx context.Context, first *int, after *string) (*relay.Connection[*memory.Memoir], error) {
	return relay.Of(tenant(ctx).Knowledge.Memoirs(ctx, page(first, after)))
}

func (r *Resolver) Memoir() graph.MemoirResolver { return &memoirResolver{r} }

type memoirResolver struct{ *Resolver }
