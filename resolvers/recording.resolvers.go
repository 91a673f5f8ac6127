package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/upkeep"
)

func (r *mutationResolver) RecordEpisode(ctx context.Context, input boundary.RecordEpisodeInput) (*graph.RecordEpisodePayload, error) {
	episode, err := tenant(ctx).Episodes.RecordEpisode(ctx, input, includedInPayload(ctx))
	return &graph.RecordEpisodePayload{Episode: episode}, err
}

func (r *mutationResolver) RecordEpisodes(ctx context.Context, input boundary.RecordEpisodesInput) (*graph.RecordEpisodesPayload, error) {
	result, err := tenant(ctx).Episodes.RecordEpisodes(ctx, input)
	return &graph.RecordEpisodesPayload{Result: result}, err
}

func (r *mutationResolver) ConcludeEpisode(ctx context.Context, input boundary.ConcludeEpisodeInput) (*graph.ConcludeEpisodePayload, error) {
	episode, err := tenant(ctx).Episodes.ConcludeEpisode(ctx, input, includedInPayload(ctx))
	return &graph.ConcludeEpisodePayload{Episode: episode}, err
}

func (r *mutationResolver) DeleteEpisode(ctx context.Context, input boundary.DeleteInput) (*upkeep.DeletedRecord, error) {
	return tenant(ctx).Upkeep.Delete(ctx, memory.KindEpisode, input)
}

func (r *mutationResolver) DeleteEpisodes(ctx context.Context, input boundary.DeleteEpisodesInput) (*upkeep.DeletedEpisodes, error) {
	return tenant(ctx).Upkeep.DeleteEpisodes(ctx, input)
}

func (r *mutationResolver) Backfill(ctx context.Context, input boundary.BackfillInput) (*upkeep.BackfillResult, error) {
	return tenant(ctx).Upkeep.Backfill(ctx, input)
}

func (r *Resolver) Mutation() graph.MutationResolver { return &mutationResolver{r} }

type mutationResolver struct{ *Resolver }
