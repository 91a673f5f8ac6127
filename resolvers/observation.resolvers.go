package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/recalling"
	"mneme/service/upkeep"
)

func (r *mutationResolver) RecordObservation(ctx context.Context, input boundary.RecordObservationInput) (*graph.RecordObservationPayload, error) {
	observation, err := tenant(ctx).Knowledge.RecordObservation(ctx, input)
	return &graph.RecordObservationPayload{Observation: observation}, err
}

func (r *mutationResolver) RecordObservations(ctx context.Context, input boundary.RecordObservationsInput) (*graph.RecordObservationsPayload, error) {
	result, err := tenant(ctx).Knowledge.RecordObservations(ctx, input)
	return &graph.RecordObservationsPayload{Result: result}, err
}

func (r *mutationResolver) Prune(ctx context.Context, input boundary.PruneInput) (*upkeep.PruneResult, error) {
	return tenant(ctx).Upkeep.Prune(ctx, input)
}

func (r *mutationResolver) Consolidate(ctx context.Context, input boundary.ConsolidateInput) (*upkeep.Consolidation, error) {
	return tenant(ctx).Upkeep.Consolidate(ctx, input)
}

func (r *mutationResolver) DeleteObservation(ctx context.Context, input boundary.DeleteInput) (*upkeep.DeletedRecord, error) {
	return tenant(ctx).Upkeep.Delete(ctx, memory.KindObservation, input)
}

func (r *observationResolver) Weight(ctx context.Context, obj *memory.Observation) (float64, error) {
	return tenant(ctx).Knowledge.Weight(obj), nil
}

func (r *observationResolver) About(ctx context.Context, obj *memory.Observation) ([]memory.Node, error) {
	return r.records(ctx, obj.About)
}

func (r *queryResolver) Observations(ctx context.Context, minWeight *float64, maxWeight *float64, orderBy *boundary.ObservationOrder, userID *string, includeShared *bool, first *int, after *string) (*relay.Connection[*memory.Observation], error) {
	filter := boundary.ObservationFilter{UserFilter: users(userID, includeShared), MinWeight: minWeight, MaxWeight: maxWeight}
	return relay.Of(tenant(ctx).Knowledge.Observations(ctx, filter, boundary.ValueOr(orderBy, boundary.WeightDesc), page(first, after)))
}

func (r *queryResolver) SearchObservations(ctx context.Context, query string, minWeight *float64, sessionID *string, userID *string, includeShared *bool, first *int, after *string) (*relay.Connection[recalling.SearchHit], error) {
	search := boundary.ObservationSearch{Query: query, MinWeight: minWeight, SessionID: sessionID, UserFilter: users(userID, includeShared)}
	return relay.Of(tenant(ctx).Retrieval.SearchObservations(ctx, search, page(first, after)))
}

func (r *Resolver) Observation() graph.ObservationResolver { return &observationResolver{r} }

type observationResolver struct{ *Resolver }
