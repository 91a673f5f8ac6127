package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/recalling"
	"mneme/service/upkeep"
	"time"
)

func (r *correctionResolver) About(ctx context.Context, obj *memory.Correction) ([]memory.Node, error) {
	return r.records(ctx, obj.About)
}

func (r *mutationResolver) RecordCorrection(ctx context.Context, input boundary.RecordCorrectionInput) (*graph.RecordCorrectionPayload, error) {
	correction, err := tenant(ctx).Knowledge.RecordCorrection(ctx, input)
	return &graph.RecordCorrectionPayload{Correction: correction}, err
}

func (r *mutationResolver) DeleteCorrection(ctx context.Context, input boundary.DeleteInput) (*upkeep.DeletedRecord, error) {
	return tenant(ctx).Upkeep.Delete(ctx, memory.KindCorrection, input)
}

func (r *queryResolver) Corrections(ctx context.Context, topic *string, first *int, after *string) (*relay.Connection[*memory.Correction], error) {
	return relay.Of(tenant(ctx).Knowledge.Corrections(ctx, topic, page(first, after)))
}

func (r *queryResolver) SearchCorrections(ctx context.Context, query string, topic *string, first *int, after *string) (*relay.Connection[recalling.SearchHit], error) {
	return relay.Of(tenant(ctx).Retrieval.SearchCorrections(ctx, query, topic, page(first, after)))
}

func (r *queryResolver) CorrectionStats(ctx context.Context, since *time.Time) (*memory.CorrectionStats, error) {
	return tenant(ctx).Knowledge.CorrectionStats(ctx, since)
}

func (r *Resolver) Correction() graph.CorrectionResolver { return &correctionResolver{r} }

type correctionResolver struct{ *Resolver }
