package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/service"
)

func (r *mutationResolver) CaptureRun(ctx context.Context, input service.CaptureRunInput) (*graph.CaptureRunPayload, error) {
	episode, err := tenant(ctx).Episodes.CaptureRun(ctx, input, included(ctx, "episode"))
	return &graph.CaptureRunPayload{Episode: episode}, err
}
