package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/memory"
	"mneme/service"
)

func (r *canvasResolver) Episode(ctx context.Context, obj *memory.Canvas) (*memory.Episode, error) {
	return r.episodeOf(ctx, obj.EpisodeKey)
}

func (r *mutationResolver) RecordCanvasActions(ctx context.Context, input service.RecordCanvasActionsInput) (*graph.RecordCanvasActionsPayload, error) {
	result, err := tenant(ctx).Reactions.RecordCanvasActions(ctx, input)
	return &graph.RecordCanvasActionsPayload{Result: result}, err
}

func (r *mutationResolver) DeleteCanvas(ctx context.Context, input service.DeleteInput) (*service.DeletedRecord, error) {
	return tenant(ctx).Upkeep.Delete(ctx, memory.KindCanvas, input)
}

func (r *Resolver) Canvas() graph.CanvasResolver { return &canvasResolver{r} }

type canvasResolver struct{ *Resolver }
