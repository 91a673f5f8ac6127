package resolvers

import (
	"context"
	"mneme/graph/relay"
	"mneme/service/boundary"
	"mneme/service/recalling"
)

func (r *queryResolver) Search(ctx context.Context, query string, kinds []string, userID *string, includeShared *bool, first *int, after *string) (*relay.Connection[recalling.SearchHit], error) {
	return relay.Of(tenant(ctx).Retrieval.Search(ctx, query, kinds, users(userID, includeShared), page(first, after), includedInHits(ctx, []string{"node"}, []string{"moments", "record"})))
}

func (r *queryResolver) SearchMoments(ctx context.Context, query string, kinds []string, filter *boundary.EpisodeFilter, userID *string, includeShared *bool, first *int, after *string) (*relay.Connection[recalling.Moment], error) {
	return relay.Of(tenant(ctx).Retrieval.SearchMoments(ctx, query, kinds, filter, users(userID, includeShared), page(first, after), includedInHits(ctx, []string{"record"})))
}

func (r *queryResolver) NextSteps(ctx context.Context, input boundary.NextStepsInput) ([]*recalling.NextStep, error) {
	return tenant(ctx).Retrieval.NextSteps(ctx, input)
}
