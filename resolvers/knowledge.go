package resolvers

import (
	"context"
	"time"

	"mneme/graph"
	"mneme/graph/answering"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/recalling"
	"mneme/service/upkeep"
)

func (r *memoirResolver) Concepts(ctx context.Context, obj *memory.Memoir, first *int, after *string) (*relay.Connection[*memory.Concept], error) {
	return relay.Of(tenant(ctx).Knowledge.MemoirConcepts(ctx, obj.Key, page(first, after)))
}

func (r *mutationResolver) CreateMemoir(ctx context.Context, input boundary.CreateMemoirInput) (*graph.CreateMemoirPayload, error) {
	memoir, err := tenant(ctx).Knowledge.CreateMemoir(ctx, input)
	return &graph.CreateMemoirPayload{Memoir: memoir}, err
}

func (r *mutationResolver) DeleteMemoir(ctx context.Context, input boundary.DeleteInput) (*upkeep.DeletedRecord, error) {
	return tenant(ctx).Upkeep.Delete(ctx, memory.KindMemoir, input)
}

func (r *queryResolver) Memoir(ctx context.Context, id *string, name *string) (*memory.Memoir, error) {
	return tenant(ctx).Knowledge.Memoir(ctx, id, name)
}

func (r *queryResolver) Memoirs(ctx context.Context, first *int, after *string) (*relay.Connection[*memory.Memoir], error) {
	return relay.Of(tenant(ctx).Knowledge.Memoirs(ctx, page(first, after)))
}

func (r *conceptResolver) Memoir(ctx context.Context, obj *memory.Concept) (*memory.Memoir, error) {
	return r.memoirOf(ctx, obj.MemoirKey)
}

func (r *conceptResolver) Relations(ctx context.Context, obj *memory.Concept, direction *memory.Direction, types []memory.RelationType) ([]*memory.Relation, error) {
	return r.relations(ctx, obj, memory.ValueOr(direction, memory.DirectionBoth), types...)
}

func (r *conceptResolver) SupersededBy(ctx context.Context, obj *memory.Concept) (*memory.Concept, error) {
	relations, err := r.relations(ctx, obj, memory.DirectionOut, memory.RelationSupersededBy)
	if err != nil {
		return nil, err
	}
	by := memory.SupersededBy(obj.Key, relations)
	if by == "" {
		return nil, nil // null is the answer
	}
	return r.conceptOf(ctx, by)
}

func (r *conceptResolver) ContradictedBy(ctx context.Context, obj *memory.Concept) ([]*memory.Concept, error) {
	relations, err := r.relations(ctx, obj, memory.DirectionIn, memory.RelationContradicts)
	if err != nil {
		return nil, err
	}
	return r.conceptsOf(ctx, memory.ContradictedBy(obj.Key, relations))
}

func (r *conceptResolver) Neighbourhood(ctx context.Context, obj *memory.Concept, depth *int, relations []string, direction *memory.Direction, first *int, after *string) (*relay.Neighbourhood, error) {
	return r.around(ctx, obj.ID(), depth, relations, direction, page(first, after))
}

func (r *mutationResolver) AddConcept(ctx context.Context, input boundary.AddConceptInput) (*graph.AddConceptPayload, error) {
	concept, err := tenant(ctx).Knowledge.AddConcept(ctx, input)
	return &graph.AddConceptPayload{Concept: concept}, err
}

func (r *mutationResolver) RefineConcept(ctx context.Context, input boundary.RefineConceptInput) (*graph.RefineConceptPayload, error) {
	concept, err := tenant(ctx).Knowledge.RefineConcept(ctx, input)
	return &graph.RefineConceptPayload{Concept: concept}, err
}

func (r *mutationResolver) LinkConcepts(ctx context.Context, input boundary.LinkConceptsInput) (*graph.LinkConceptsPayload, error) {
	relation, err := tenant(ctx).Knowledge.LinkConcepts(ctx, input)
	return &graph.LinkConceptsPayload{Relation: relation}, err
}

func (r *mutationResolver) UnlinkConcepts(ctx context.Context, input boundary.LinkConceptsInput) (*graph.UnlinkConceptsPayload, error) {
	removed, err := tenant(ctx).Knowledge.UnlinkConcepts(ctx, input)
	return &graph.UnlinkConceptsPayload{Removed: removed}, err
}

func (r *mutationResolver) DeleteConcept(ctx context.Context, input boundary.DeleteInput) (*upkeep.DeletedRecord, error) {
	return tenant(ctx).Upkeep.Delete(ctx, memory.KindConcept, input)
}

func (r *queryResolver) Concept(ctx context.Context, id string) (*memory.Concept, error) {
	return tenant(ctx).Knowledge.Concept(ctx, id)
}

func (r *queryResolver) SearchConcepts(ctx context.Context, query string, memoirID *string, labels []string, first *int, after *string) (*relay.Connection[recalling.SearchHit], error) {
	search := boundary.ConceptSearch{Query: query, MemoirID: memoirID, Labels: labels}
	return relay.Of(tenant(ctx).Retrieval.SearchConcepts(ctx, search, page(first, after)))
}

func (r *relationResolver) Source(ctx context.Context, obj *memory.Relation) (*memory.Concept, error) {
	return r.conceptOf(ctx, obj.SourceKey)
}

func (r *relationResolver) Target(ctx context.Context, obj *memory.Relation) (*memory.Concept, error) {
	return r.conceptOf(ctx, obj.TargetKey)
}

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

func (r *queryResolver) Observations(ctx context.Context, minWeight *float64, maxWeight *float64, orderBy *memory.ObservationOrder, userID *string, includeShared *bool, first *int, after *string) (*relay.Connection[*memory.Observation], error) {
	filter := boundary.ObservationFilter{UserFilter: users(userID, includeShared), MinWeight: minWeight, MaxWeight: maxWeight}
	return relay.Of(tenant(ctx).Knowledge.Observations(ctx, filter, memory.ValueOr(orderBy, memory.HeaviestFirst), page(first, after)))
}

func (r *queryResolver) SearchObservations(ctx context.Context, query string, minWeight *float64, sessionID *string, userID *string, includeShared *bool, first *int, after *string) (*relay.Connection[recalling.SearchHit], error) {
	search := boundary.ObservationSearch{Query: query, MinWeight: minWeight, SessionID: sessionID, UserFilter: users(userID, includeShared)}
	return relay.Of(tenant(ctx).Retrieval.SearchObservations(ctx, search, page(first, after)))
}

// What a field shows of concepts and their links is as of the instant of the episode through which it was
// reached, where that is an answer as of one.

// relations are how a concept relates to others, never nil.
func (r *Resolver) relations(ctx context.Context, concept *memory.Concept, direction memory.Direction, types ...memory.RelationType) ([]*memory.Relation, error) {
	found, err := loaders(ctx).Relations.Load(ctx, answering.RelationsOf(concept.Key, direction, types))
	instant := reading.AsOf(enclosing(ctx))
	relations := []*memory.Relation{}
	for _, relation := range found {
		if instant == nil || !relation.CreatedAt.After(*instant) {
			relations = append(relations, relation)
		}
	}
	return relations, err
}

// conceptOf is one concept; nil where there is none.
func (r *Resolver) conceptOf(ctx context.Context, key string) (*memory.Concept, error) {
	concept, err := loaders(ctx).Concepts.Load(ctx, key)
	instant := reading.AsOf(enclosing(ctx))
	if err != nil || concept == nil || instant == nil {
		return concept, err
	}
	return concept.AsOf(*instant), nil
}

// conceptsOf are those of the concepts that there are.
func (r *Resolver) conceptsOf(ctx context.Context, keys []string) ([]*memory.Concept, error) {
	concepts, err := loaders(ctx).Concepts.LoadAll(ctx, keys)
	return memory.KnownConcepts(concepts, reading.AsOf(enclosing(ctx))), err
}

// records are those of the records that there are, of whatever kinds.
func (r *Resolver) records(ctx context.Context, ids []string) ([]memory.Node, error) {
	head := included(ctx).HeadOnly
	refs := memory.Mapped(ids, func(id string) answering.Ref[answering.Record] {
		return answering.Ref[answering.Record]{Key: id, How: answering.Record{HeadOnly: head}}
	})
	return present(loaders(ctx).Records.LoadAll(ctx, refs))
}

// around gathers the arguments of a neighbourhood.
func (r *Resolver) around(ctx context.Context, id string, depth *int, relations []string, direction *memory.Direction, page reading.PageInput) (*relay.Neighbourhood, error) {
	return relay.Around(tenant(ctx).Retrieval.Neighbourhood(ctx, boundary.NeighbourhoodInput{
		ID: id, Depth: depth, Relations: relations, Direction: memory.ValueOr(direction, memory.DirectionBoth), Page: page,
	}, included(ctx, "nodes", "node")))
}

// memoirOf is the memoir that something belongs to. Where that cannot be read, which is told of, it is what mending
// writes: its key stands for its name.
func (r *Resolver) memoirOf(ctx context.Context, key string) (*memory.Memoir, error) {
	memoir, err := loaders(ctx).Memoirs.Load(ctx, key)
	if err == nil && memoir == nil {
		memoir = &memory.Memoir{Key: key, Name: key, Description: nil, CreatedAt: time.UnixMilli(0).UTC()}
	}
	return memoir, err
}

// runOf is the run that something belongs to; see memoirOf.
func (r *Resolver) runOf(ctx context.Context, key string) (*memory.Run, error) {
	run, err := loaders(ctx).Runs.Load(ctx, key)
	if err == nil && run == nil {
		run = &memory.Run{Key: key, StartedAt: time.UnixMilli(0).UTC(), CompletedAt: nil}
	}
	return run, err
}
