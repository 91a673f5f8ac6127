package resolvers

import (
	"context"

	"mneme/graph"
	"mneme/memory/access"
	"mneme/service/keyring"
	"mneme/service/upkeep"
)

func (r *mutationResolver) CreateKey(ctx context.Context, input keyring.CreateInput) (*keyring.CreatedOwn, error) {
	return r.keys.CreateOwn(ctx, input)
}

func (r *mutationResolver) RevokeKey(ctx context.Context, input keyring.RevokeInput) (*graph.RevokeKeyPayload, error) {
	key, err := r.keys.RevokeOwn(ctx, input)
	return &graph.RevokeKeyPayload{Key: key}, err
}

func (r *queryResolver) Keys(ctx context.Context, first *int) ([]*keyring.Shown, error) {
	return r.keys.ListOwn(ctx, first)
}

func (r *queryResolver) Health(ctx context.Context) (*upkeep.Health, error) {
	return tenant(ctx).Upkeep.Health(ctx)
}

func (r *queryResolver) Viewer(ctx context.Context) (*access.Caller, error) {
	return new(access.Of(ctx)), nil
}
