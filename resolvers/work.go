package resolvers

import (
	"context"

	"mneme/graph"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/memory/engagement"
	"mneme/memory/graduation"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/recording"
	"mneme/service/upkeep"
)

func (r *agentResolver) TaskTypes(ctx context.Context, obj *memory.Agent) ([]string, error) {
	types, err := loaders(ctx).TaskTypes.Load(ctx, obj.Key)
	return memory.OrEmpty(types), err
}

func (r *agentResolver) Episodes(ctx context.Context, obj *memory.Agent, filter *boundary.EpisodeFilter, first *int, after *string) (*relay.Connection[*memory.Episode], error) {
	own := memory.OrZero(filter)
	if own.AgentID != nil && !boundary.SameName(memory.KeyOf(memory.KindAgent, *own.AgentID), obj.Key) {
		return relay.Empty[*memory.Episode](), nil
	}
	own.AgentID = new(obj.ID())
	return relay.Of(tenant(ctx).Episodes.List(ctx, own, memory.NewestFirst, page(first, after), includedInPage(ctx)))
}

func (r *agentResolver) Cost(ctx context.Context, obj *memory.Agent) (float64, error) {
	return tenant(ctx).Learning.AgentCost(ctx, obj.Key)
}

func (r *agentResolver) LearningProfiles(ctx context.Context, obj *memory.Agent) ([]*memory.LearningProfile, error) {
	profiles, err := loaders(ctx).Profiles.Load(ctx, obj.Key)
	return memory.OrEmpty(profiles), err
}

func (r *agentResolver) Graduation(ctx context.Context, obj *memory.Agent, weights *boundary.GraduationWeights) (*graduation.Graduation, error) {
	return tenant(ctx).Learning.AgentGraduation(ctx, obj.Key, weights)
}

func (r *agentResolver) CanvasInsights(ctx context.Context, obj *memory.Agent, timeRange *memory.TimeRange) (*engagement.Insights, error) {
	insights, err := tenant(ctx).Reactions.AgentCanvasInsights(ctx, obj.Key, timeRange)
	return &insights, err
}

func (r *mutationResolver) DeleteAgent(ctx context.Context, input boundary.DeleteInput) (*upkeep.DeletedRecord, error) {
	return tenant(ctx).Upkeep.Delete(ctx, memory.KindAgent, input)
}

func (r *queryResolver) Agent(ctx context.Context, id string) (*memory.Agent, error) {
	return tenant(ctx).Agents.Get(ctx, id)
}

func (r *queryResolver) Agents(ctx context.Context, first *int, after *string) (*relay.Connection[*memory.Agent], error) {
	return relay.Of(tenant(ctx).Agents.List(ctx, page(first, after)))
}

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
	return relay.Of(r.linked(ctx, obj, memory.LinkCauses, page(first, after), includedInPage(ctx)))
}

func (r *episodeResolver) CausedBy(ctx context.Context, obj *memory.Episode, first *int, after *string) (*relay.Connection[*memory.Episode], error) {
	return relay.Of(r.linked(ctx, obj, memory.LinkCausedBy, page(first, after), includedInPage(ctx)))
}

func (r *episodeResolver) InformedBy(ctx context.Context, obj *memory.Episode, first *int, after *string) (*relay.Connection[*memory.Episode], error) {
	return relay.Of(r.linked(ctx, obj, memory.LinkInformedBy, page(first, after), includedInPage(ctx)))
}

func (r *episodeResolver) Informed(ctx context.Context, obj *memory.Episode, first *int, after *string) (*relay.Connection[*memory.Episode], error) {
	return relay.Of(r.linked(ctx, obj, memory.LinkInformed, page(first, after), includedInPage(ctx)))
}

func (r *episodeResolver) Previous(ctx context.Context, obj *memory.Episode) (*memory.Episode, error) {
	return r.neighbour(ctx, obj, memory.LinkPrevious)
}

func (r *episodeResolver) Next(ctx context.Context, obj *memory.Episode) (*memory.Episode, error) {
	return r.neighbour(ctx, obj, memory.LinkNext)
}

func (r *episodeResolver) Neighbourhood(ctx context.Context, obj *memory.Episode, depth *int, relations []string, direction *memory.Direction, first *int, after *string) (*relay.Neighbourhood, error) {
	return r.around(ctx, obj.ID(), depth, relations, direction, page(first, after))
}

func (r *queryResolver) Episode(ctx context.Context, id string) (*memory.Episode, error) {
	return tenant(ctx).Episodes.Get(ctx, id, included(ctx))
}

func (r *queryResolver) Episodes(ctx context.Context, filter *boundary.EpisodeFilter, orderBy *memory.EpisodeOrder, first *int, after *string) (*relay.Connection[*memory.Episode], error) {
	kept, order := memory.OrZero(filter), memory.ValueOr(orderBy, memory.NewestFirst)
	return relay.Of(tenant(ctx).Episodes.List(ctx, kept, order, page(first, after), includedInPage(ctx)))
}

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

func (r *sessionResolver) UserID(ctx context.Context, obj *memory.Session) (*string, error) {
	id := obj.ID()
	newest, err := tenant(ctx).Episodes.List(ctx, boundary.EpisodeFilter{SessionID: &id}, memory.NewestFirst, page(new(1), nil), boundary.Include{HeadOnly: true})
	if err != nil || len(newest.Items) == 0 {
		return nil, err
	}
	return newest.Items[0].UserID, nil
}

func (r *sessionResolver) Episodes(ctx context.Context, obj *memory.Session, filter *boundary.EpisodeFilter, first *int, after *string) (*relay.Connection[*memory.Episode], error) {
	own := memory.OrZero(filter)
	if own.SessionID != nil && !boundary.SameName(memory.KeyOf(memory.KindSession, *own.SessionID), obj.Key) {
		return relay.Empty[*memory.Episode](), nil
	}
	own.SessionID = new(obj.ID())
	return relay.Of(tenant(ctx).Episodes.List(ctx, own, memory.NewestFirst, page(first, after), includedInPage(ctx)))
}
