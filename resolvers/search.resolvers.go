package resolvers

import (
	"context"
	"mneme/graph/relay"
	"mneme/service"
)

func (r *queryResolver) Search(ctx context.Context, query string, kinds []string, first *int, after *string) (*relay.Connection[service.SearchHit], error) {
	return relay.Of(tenant(ctx).Retrieval.Search(ctx, query, kinds, page(first, after), includedInHits(ctx, []string{"node"}, []string{"moments", "record"})))
}

func (r *queryResolver) SearchMoments(ctx context.Context, query string, kinds []string, filter *service.EpisodeFilter, first *int, after *string) (*relay.Connection[service.Moment], error) {
	return relay.Of(tenant(ctx).Retrieval.SearchMoments(ctx, query, kinds, filter, page(first, after), includedInHits(ctx, []string{"record"})))
}

func (r *queryResolver) NextSteps(ctx context.Context, input service.NextStepsInput) ([]*service.NextStep, error) {
	return tenant(ctx).Retrieval.NextSteps(ctx, input)
}
