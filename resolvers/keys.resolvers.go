package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/service/keyring"
)

func (r *mutationResolver) CreateKey(ctx context.Context, input keyring.OwnInput) (*graph.CreateKeyPayload, error) {
	made, err := r.keys.CreateOwn(ctx, input)
	if err != nil {
		return nil, err
	}
	return &graph.CreateKeyPayload{Key: made.Key, Secret: made.Secret, Warning: made.Warning}, nil
}

func (r *mutationResolver) RevokeKey(ctx context.Context, input keyring.RevokeInput) (*graph.RevokeKeyPayload, error) {
	key, err := r.keys.RevokeOwn(ctx, input)
	return &graph.RevokeKeyPayload{Key: key}, err
}

func (r *queryResolver) Keys(ctx context.Context, first *int) ([]*keyring.Shown, error) {
	return r.keys.ListOwn(ctx, first)
}
