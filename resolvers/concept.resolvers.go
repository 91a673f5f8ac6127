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

func (r *conceptResolver) Memoir(ctx context.Context, obj *memory.Concept) (*memory.Memoir, error) {
	return r.memoirOf(ctx, obj.MemoirKey)
}

func (r *conceptResolver) Relations(ctx context.Context, obj *memory.Concept, direction *boundary.Direction, types []memory.RelationType) ([]*memory.Relation, error) {
	return r.relations(ctx, obj, boundary.ValueOr(direction, boundary.DirectionBoth), types...)
}

func (r *conceptResolver) SupersededBy(ctx context.Context, obj *memory.Concept) (*memory.Concept, error) {
	relations, err := r.relations(ctx, obj, boundary.DirectionOut, memory.RelationSupersededBy)
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
	relations, err := r.relations(ctx, obj, boundary.DirectionIn, memory.RelationContradicts)
	if err != nil {
		return nil, err
	}
	return r.conceptsOf(ctx, memory.ContradictedBy(obj.Key, relations))
}

func (r *conceptResolver) Neighbourhood(ctx context.Context, obj *memory.Concept, depth *int, relations []string, direction *boundary.Direction, first *int, after *string) (*relay.Neighbourhood, error) {
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

func (r *Resolver) Concept() graph.ConceptResolver { return &conceptResolver{r} }

func (r *Resolver) Relation() graph.RelationResolver { return &relationResolver{r} }

type (
	conceptResolver  struct{ *Resolver }
	relationResolver struct{ *Resolver }
)
