package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/upkeep"
)

func (r *canvasResolver) Episode(ctx context.Context, obj *memory.Canvas) (*memory.Episode, error) {
	return r.episodeOf(ctx, obj.EpisodeKey)
}

func (r *canvasResolver) States(ctx context.Context, obj *memory.Canvas) ([]memory.CanvasState, error) {
	return obj.States(tenant(ctx).Reactions.CanvasRules()), nil
}

func (r *canvasResolver) CustomStates(ctx context.Context, obj *memory.Canvas) ([]string, error) {
	return obj.CustomStates(tenant(ctx).Reactions.CanvasRules()), nil
}

func (r *canvasResolver) Reward(ctx context.Context, obj *memory.Canvas) (float64, error) {
	return obj.Reward(tenant(ctx).Reactions.CanvasRules()), nil
}

func (r *mutationResolver) RecordCanvasActions(ctx context.Context, input boundary.RecordCanvasActionsInput) (*graph.RecordCanvasActionsPayload, error) {
	result, err := tenant(ctx).Reactions.RecordCanvasActions(ctx, input)
	return &graph.RecordCanvasActionsPayload{Result: result}, err
}

func (r *mutationResolver) DeleteCanvas(ctx context.Context, input boundary.DeleteInput) (*upkeep.DeletedRecord, error) {
	return tenant(ctx).Upkeep.Delete(ctx, memory.KindCanvas, input)
}

func (r *queryResolver) Canvases(ctx context.Context, waiting *bool, userID *string, includeShared *bool, first *int, after *string) (*relay.Connection[*memory.Canvas], error) {
	return relay.Of(tenant(ctx).Reactions.ListCanvases(ctx, waiting, users(userID, includeShared), page(first, after)))
}

func (r *Resolver) Canvas() graph.CanvasResolver { return &canvasResolver{r} }

type canvasResolver struct{ *Resolver }
