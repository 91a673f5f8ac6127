package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/graph/answering"
	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/recalling"
)

func (r *queryResolver) Recall(ctx context.Context, input boundary.RecallInput) (*recalling.Recall, error) {
	return tenant(ctx).Retrieval.Recall(ctx, input, includedInRecall(ctx))
}

func (r *recallHitResolver) Siblings(ctx context.Context, obj *recalling.RecallHit) ([]*memory.Episode, error) {
	refs := memory.Mapped(obj.SiblingKeys, func(key string) answering.EpisodeRef { return episodeRef(key, included(ctx), obj.Episode) })
	return present(loaders(ctx).Episodes.LoadAll(ctx, refs))
}

func (r *Resolver) RecallHit() graph.RecallHitResolver { return &recallHitResolver{r} }

type recallHitResolver struct{ *Resolver }
