package resolvers

import (
	"context"

	"mneme/graph/answering"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/recalling"
)

func (r *queryResolver) Recall(ctx context.Context, input boundary.RecallInput) (*recalling.Recall, error) {
	return tenant(ctx).Retrieval.Recall(ctx, input, includedInRecall(ctx))
}

func (r *recallHitResolver) Siblings(ctx context.Context, obj *recalling.RecallHit) ([]*memory.Episode, error) {
	refs := memory.Mapped(obj.SiblingKeys, func(key string) answering.Ref[answering.Episode] { return episodeRef(key, included(ctx), obj.Episode) })
	return present(loaders(ctx).Episodes.LoadAll(ctx, refs))
}

func (r *queryResolver) Search(ctx context.Context, query string, kinds []string, userID *string, includeShared *bool, first *int, after *string) (*relay.Connection[recalling.SearchHit], error) {
	return relay.Of(tenant(ctx).Retrieval.Search(ctx, query, kinds, users(userID, includeShared), page(first, after), includedInHits(ctx, []string{"node"}, []string{"moments", "record"})))
}

func (r *queryResolver) SearchMoments(ctx context.Context, query string, kinds []string, filter *boundary.EpisodeFilter, userID *string, includeShared *bool, first *int, after *string) (*relay.Connection[recalling.Moment], error) {
	return relay.Of(tenant(ctx).Retrieval.SearchMoments(ctx, query, kinds, filter, users(userID, includeShared), page(first, after), includedInHits(ctx, []string{"record"})))
}

func (r *queryResolver) NextSteps(ctx context.Context, input boundary.NextStepsInput) ([]*recalling.NextStep, error) {
	return tenant(ctx).Retrieval.NextSteps(ctx, input)
}

func (r *queryResolver) Node(ctx context.Context, id string) (memory.Node, error) {
	return tenant(ctx).Retrieval.Node(ctx, id)
}

func (r *queryResolver) Nodes(ctx context.Context, ids []string) ([]memory.Node, error) {
	return tenant(ctx).Retrieval.Nodes(ctx, ids, included(ctx))
}

func (r *queryResolver) Neighbourhood(ctx context.Context, id string, depth *int, relations []string, direction *memory.Direction, first *int, after *string) (*relay.Neighbourhood, error) {
	return r.around(ctx, id, depth, relations, direction, page(first, after))
}

func (r *queryResolver) Path(ctx context.Context, from string, to string, maxDepth *int, relations []string) (*relay.Neighbourhood, error) {
	return relay.Around(tenant(ctx).Retrieval.Path(ctx, boundary.PathInput{From: from, To: to, MaxDepth: maxDepth, Relations: relations}, included(ctx, "nodes", "node")))
}
