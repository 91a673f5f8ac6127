package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/service"
)

func (r *sessionResolver) Episodes(ctx context.Context, obj *memory.Session, first *int, after *string) (*relay.Connection[*memory.Episode], error) {
	id := obj.ID()
	filter := service.EpisodeFilter{SessionID: &id}
	return relay.Of(tenant(ctx).Episodes.List(ctx, filter, service.StartedAtDesc, page(first, after), includedInPage(ctx)))
}

func (r *Resolver) Session() graph.SessionResolver { return &sessionResolver{r} }

type sessionResolver struct{ *Resolver }
