package resolvers

import (
	"context"

	"mneme/graph"
	"mneme/graph/answering"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/recording"
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

func (r *feedbackResolver) Episode(ctx context.Context, obj *memory.Feedback) (*memory.Episode, error) {
	return r.episodeOf(ctx, obj.EpisodeKey)
}

func (r *feedbackResolver) Canvas(ctx context.Context, obj *memory.Feedback) (*memory.Canvas, error) {
	return r.canvasOf(ctx, obj.CanvasKey)
}

func (r *feedbackResolver) Replaces(ctx context.Context, obj *memory.Feedback) (*memory.Feedback, error) {
	if obj.Replaces == nil {
		return nil, nil // null is the answer
	}
	earlier, err := loaders(ctx).Records.Load(ctx, answering.Ref[answering.Record]{Key: memory.NodeID(memory.KindFeedback, *obj.Replaces)})
	feedback, _ := earlier.(*memory.Feedback) // nil where it was deleted
	return feedback, err
}

func (r *mutationResolver) SubmitFeedback(ctx context.Context, input boundary.SubmitFeedbackInput) (*recording.FeedbackReceipt, error) {
	return tenant(ctx).Reactions.SubmitFeedback(ctx, input)
}

func (r *mutationResolver) DeleteFeedback(ctx context.Context, input boundary.DeleteFeedbackInput) (*upkeep.DeletedFeedback, error) {
	return tenant(ctx).Upkeep.DeleteFeedback(ctx, input)
}

func (r *queryResolver) Feedback(ctx context.Context, waiting *bool, userID *string, includeShared *bool, first *int, after *string) (*relay.Connection[*memory.Feedback], error) {
	return relay.Of(tenant(ctx).Reactions.ListFeedback(ctx, waiting, users(userID, includeShared), page(first, after)))
}
