package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/memory/graduation"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/recording"
)

func (r *episodeResolver) Agent(ctx context.Context, obj *memory.Episode) (*memory.Agent, error) {
	if obj.Context != nil && obj.Context.Agent != nil {
		return obj.Context.Agent, nil
	}
	return loaders(ctx).Agents.Load(ctx, obj.AgentKey)
}

func (r *episodeResolver) Events(ctx context.Context, obj *memory.Episode, first *int, after *string) (*relay.Connection[*memory.Event], error) {
	return relay.Of(tenant(ctx).Episodes.Events(ctx, obj.Key, page(first, after)))
}

func (r *episodeResolver) CanvasIds(ctx context.Context, obj *memory.Episode) ([]string, error) {
	if with := obj.Context; with != nil && with.CanvasIDs != nil {
		return with.CanvasIDs, nil
	}
	canvases, err := r.CanvasContext(ctx, obj)
	return memory.IDs(canvases), err
}

func (r *episodeResolver) CanvasContext(ctx context.Context, obj *memory.Episode) ([]*memory.Canvas, error) {
	with, err := r.contextOf(ctx, obj, func(with *memory.EpisodeContext) bool { return with.Canvases != nil })
	return with.Canvases, err
}

func (r *episodeResolver) Canvases(ctx context.Context, obj *memory.Episode, first *int, after *string) (*relay.Connection[*memory.Canvas], error) {
	return relay.Of(tenant(ctx).Reactions.EpisodeCanvases(ctx, obj, page(first, after)))
}

func (r *episodeResolver) FeedbackIds(ctx context.Context, obj *memory.Episode) ([]string, error) {
	if with := obj.Context; with != nil && with.FeedbackIDs != nil {
		return with.FeedbackIDs, nil
	}
	feedback, err := r.FeedbackContext(ctx, obj)
	return memory.IDs(feedback), err
}

func (r *episodeResolver) FeedbackContext(ctx context.Context, obj *memory.Episode) ([]*memory.Feedback, error) {
	with, err := r.contextOf(ctx, obj, func(with *memory.EpisodeContext) bool { return with.Feedback != nil })
	return with.Feedback, err
}

func (r *episodeResolver) Feedback(ctx context.Context, obj *memory.Episode, first *int, after *string) (*relay.Connection[*memory.Feedback], error) {
	return relay.Of(tenant(ctx).Reactions.EpisodeFeedback(ctx, obj, page(first, after)))
}

func (r *episodeResolver) Reward(ctx context.Context, obj *memory.Episode) (float64, error) {
	obj, err := r.enriched(ctx, obj, anything)
	if err != nil {
		return 0, err
	}
	return tenant(ctx).Reactions.Reward(ctx, obj)
}

func (r *episodeResolver) Quality(ctx context.Context, obj *memory.Episode) (*graduation.Quality, error) {
	obj, err := r.enriched(ctx, obj, anything)
	if err != nil {
		return nil, err
	}
	if reading.AsOf(obj) != nil {
		return tenant(ctx).Learning.EpisodeQuality(ctx, obj, nil) // how evenly its agent succeeded is known as of now only
	}
	consistency, err := loaders(ctx).Consistency.Load(ctx, obj.AgentKey)
	if err != nil {
		return nil, err
	}
	return tenant(ctx).Learning.EpisodeQuality(ctx, obj, consistency)
}

func (r *episodeResolver) Concepts(ctx context.Context, obj *memory.Episode) ([]*memory.Concept, error) {
	concepts, err := loaders(ctx).Mentioned.Load(ctx, obj.Key)
	return memory.KnownConcepts(concepts, reading.AsOf(obj)), err
}

func (r *episodeResolver) Causes(ctx context.Context, obj *memory.Episode, first *int, after *string) (*relay.Connection[*memory.Episode], error) {
	return relay.Of(r.linked(ctx, obj, recording.LinkCauses, page(first, after), includedInPage(ctx)))
}

func (r *episodeResolver) CausedBy(ctx context.Context, obj *memory.Episode, first *int, after *string) (*relay.Connection[*memory.Episode], error) {
	return relay.Of(r.linked(ctx, obj, recording.LinkCausedBy, page(first, after), includedInPage(ctx)))
}

func (r *episodeResolver) InformedBy(ctx context.Context, obj *memory.Episode, first *int, after *string) (*relay.Connection[*memory.Episode], error) {
	return relay.Of(r.linked(ctx, obj, recording.LinkInformedBy, page(first, after), includedInPage(ctx)))
}

func (r *episodeResolver) Informed(ctx context.Context, obj *memory.Episode, first *int, after *string) (*relay.Connection[*memory.Episode], error) {
	return relay.Of(r.linked(ctx, obj, recording.LinkInformed, page(first, after), includedInPage(ctx)))
}

func (r *episodeResolver) Previous(ctx context.Context, obj *memory.Episode) (*memory.Episode, error) {
	return r.neighbour(ctx, obj, recording.LinkPrevious)
}

func (r *episodeResolver) Next(ctx context.Context, obj *memory.Episode) (*memory.Episode, error) {
	return r.neighbour(ctx, obj, recording.LinkNext)
}

func (r *episodeResolver) Neighbourhood(ctx context.Context, obj *memory.Episode, depth *int, relations []string, direction *boundary.Direction, first *int, after *string) (*relay.Neighbourhood, error) {
	return r.around(ctx, obj.ID(), depth, relations, direction, page(first, after))
}

func (r *queryResolver) Episode(ctx context.Context, id string) (*memory.Episode, error) {
	return tenant(ctx).Episodes.Get(ctx, id, included(ctx))
}

func (r *queryResolver) Episodes(ctx context.Context, filter *boundary.EpisodeFilter, orderBy *boundary.EpisodeOrder, first *int, after *string) (*relay.Connection[*memory.Episode], error) {
	kept, order := boundary.ValueOr(filter, boundary.EpisodeFilter{}), boundary.ValueOr(orderBy, boundary.StartedAtDesc)
	return relay.Of(tenant(ctx).Episodes.List(ctx, kept, order, page(first, after), includedInPage(ctx)))
}

func (r *Resolver) Episode() graph.EpisodeResolver { return &episodeResolver{r} }

type episodeResolver struct{ *Resolver }
