package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/recording"
)

func (r *mutationResolver) CaptureRun(ctx context.Context, input boundary.CaptureRunInput) (*graph.CaptureRunPayload, error) {
	episode, err := tenant(ctx).Episodes.CaptureRun(ctx, input, includedInPayload(ctx))
	if err != nil {
		return nil, err
	}
	return &graph.CaptureRunPayload{Episode: episode, Unread: recording.UnreadEvents(input.Events)}, nil
}

func (r *queryResolver) Replay(ctx context.Context, episodeID string, first *int, after *string) (*relay.Connection[*memory.Event], error) {
	return relay.Of(tenant(ctx).Episodes.Replay(ctx, episodeID, page(first, after)))
}
