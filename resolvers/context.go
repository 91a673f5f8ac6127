package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"mneme/graph/answering"
	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/reading"
)

// What a field needs of an episode may have come along with it (see included); otherwise it is read here,
// for all the episodes of a list at once.

// wholeContext brings along what rewards are made of.
var wholeContext = boundary.Include{Canvases: true, Feedback: true, HeadOnly: true}

// episodeRef is an episode by key, as of the instant that another one is an answer for.
func episodeRef(key string, include boundary.Include, around *memory.Episode) answering.Ref[answering.Episode] {
	include.CanvasIDs, include.FeedbackIDs = false, false // they are a recall's; what is read is the same without
	return answering.Ref[answering.Episode]{Key: key, How: answering.Episode{Include: include, AsOf: memory.OrZero(reading.AsOf(around))}}
}

// enriched is the episode with its canvases and feedback, in a copy of its own; the episode itself where it has what is
// asked for, or was deleted meanwhile.
func (r *Resolver) enriched(ctx context.Context, episode *memory.Episode, has func(*memory.EpisodeContext) bool) (*memory.Episode, error) {
	if episode.Context != nil && has(episode.Context) {
		return episode, nil
	}
	found, err := loaders(ctx).Episodes.Load(ctx, episodeRef(episode.Key, wholeContext, episode))
	if err != nil || found == nil {
		return episode, err
	}
	return found, nil
}

// contextOf is what came along with an episode, or is read here where that has not what is asked for.
func (r *Resolver) contextOf(ctx context.Context, episode *memory.Episode, has func(*memory.EpisodeContext) bool) (*memory.EpisodeContext, error) {
	found, err := r.enriched(ctx, episode, has)
	if err != nil || found.Context == nil {
		return &memory.EpisodeContext{Canvases: []*memory.Canvas{}, Feedback: []*memory.Feedback{}}, err
	}
	return found.Context, nil
}

// anything asks for no more than what came along.
func anything(*memory.EpisodeContext) bool { return true }

// linked is a page of the episodes that one is linked to.
func (r *Resolver) linked(
	ctx context.Context, episode *memory.Episode, link memory.EpisodeLink, page reading.PageInput, include boundary.Include,
) (*reading.Page[*memory.Episode], error) {
	return loaders(ctx).Linked.Load(ctx, answering.Ref[answering.Links]{Key: episode.Key, How: answering.Links{
		Link: link, AsOf: memory.OrZero(reading.AsOf(episode)), HeadOnly: include.HeadOnly,
		First: memory.ValueOr(page.First, answering.DefaultFirst), After: memory.OrZero(page.After),
	}})
}

// neighbour is the one episode at the other end of a link that has at most one.
func (r *Resolver) neighbour(ctx context.Context, episode *memory.Episode, link memory.EpisodeLink) (*memory.Episode, error) {
	if episode.SessionKey == nil {
		return nil, nil // null is the answer
	}
	found, err := r.linked(ctx, episode, link, reading.PageInput{}, included(ctx))
	if err != nil || len(found.Items) == 0 {
		return nil, err
	}
	return found.Items[0], nil
}

// episodeOf is the episode that a canvas or feedback belongs to. Where it was reached through that very
// episode, it is that one, with the instant it is an answer for.
func (r *Resolver) episodeOf(ctx context.Context, key *string) (*memory.Episode, error) {
	if key == nil {
		return nil, nil // null is the answer
	}
	around, include := enclosing(ctx), included(ctx)
	if around != nil && around.Key == *key && (include.HeadOnly || around.Observation != "") {
		return around, nil
	}
	return loaders(ctx).Episodes.Load(ctx, episodeRef(*key, include, around))
}

// canvasOf is the canvas that feedback is on, as it was known at the instant of the enclosing episode.
func (r *Resolver) canvasOf(ctx context.Context, key *string) (*memory.Canvas, error) {
	if key == nil {
		return nil, nil // null is the answer
	}
	canvas, err := loaders(ctx).Canvases.Load(ctx, *key)
	instant := reading.AsOf(enclosing(ctx))
	if err != nil || canvas == nil || instant == nil {
		return canvas, err
	}
	known := *canvas
	known.Actions = canvas.ActionsAsOf(*instant)
	if len(known.Actions) == 0 {
		return nil, nil // it was not known then
	}
	return &known, nil
}

// enclosing is the episode through which the current field was reached; nil where it was reached otherwise.
func enclosing(ctx context.Context) *memory.Episode {
	for field := graphql.GetFieldContext(ctx); field != nil; field = field.Parent {
		switch result := field.Result.(type) {
		case *memory.Episode:
			return result
		case **memory.Episode: // an element of a list
			return *result
		case *memory.Node: // an element of a list of any kinds
			if episode, ok := (*result).(*memory.Episode); ok {
				return episode
			}
		}
	}
	return nil
}
