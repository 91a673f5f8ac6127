package resolvers

import (
	"context"
	"time"

	"mneme/graph/answering"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/reading"
)

// What a field shows of concepts and their links is as of the instant of the episode through which it was
// reached, where that is an answer as of one.

// relations are how a concept relates to others, never nil.
func (r *Resolver) relations(ctx context.Context, concept *memory.Concept, direction boundary.Direction, types ...memory.RelationType) ([]*memory.Relation, error) {
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
	refs := memory.Mapped(ids, func(id string) answering.RecordRef { return answering.RecordRef{ID: id, HeadOnly: head} })
	return present(loaders(ctx).Records.LoadAll(ctx, refs))
}

// around gathers the arguments of a neighbourhood.
func (r *Resolver) around(ctx context.Context, id string, depth *int, relations []string, direction *boundary.Direction, page reading.PageInput) (*relay.Neighbourhood, error) {
	return relay.Around(tenant(ctx).Retrieval.Neighbourhood(ctx, boundary.NeighbourhoodInput{
		ID: id, Depth: depth, Relations: relations, Direction: boundary.ValueOr(direction, boundary.DirectionBoth), Page: page,
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
