package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/service/boundary"
)

func (r *sessionResolver) UserID(ctx context.Context, obj *memory.Session) (*string, error) {
	id := obj.ID()
	newest, err := tenant(ctx).Episodes.List(ctx, boundary.EpisodeFilter{SessionID: &id}, boundary.StartedAtDesc, page(new(1), nil), boundary.Include{HeadOnly: true})
	if err != nil || len(newest.Items) == 0 {
		return nil, err
	}
	return newest.Items[0].UserID, nil
}

func (r *sessionResolver) Episodes(ctx context.Context, obj *memory.Session, filter *boundary.EpisodeFilter, first *int, after *string) (*relay.Connection[*memory.Episode], error) {
	own := boundary.ValueOr(filter, boundary.EpisodeFilter{})
	if own.SessionID != nil && !boundary.SameName(memory.KeyOf(memory.KindSession, *own.SessionID), obj.Key) {
		return relay.Empty[*memory.Episode](), nil
	}
	own.SessionID = new(obj.ID())
	return relay.Of(tenant(ctx).Episodes.List(ctx, own, boundary.StartedAtDesc, page(first, after), includedInPage(ctx)))
}

func (r *Resolver) Session() graph.SessionResolver { return &sessionResolver{r} }

type sessionResolver struct{ *Resolver }
