package recalling

import (
	"context"

	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/store"
)

// Node reads a record of any kind by its global id; nil where there is none. An id of no known kind is INVALID_INPUT.
func (g *Retrieval) Node(ctx context.Context, id string) (memory.Node, error) {
	b := g.t.Question(ctx)
	id = b.GlobalID("id", id)
	if b.Err() != nil {
		return nil, b.Err()
	}
	nodes, err := g.accessed(ctx, []string{id}, boundary.Include{})
	if err != nil {
		return nil, err
	}
	return nodes[0], nil
}

// Nodes reads records of any kinds in the order of their global ids, nil where there is none. It costs one read a kind.
func (g *Retrieval) Nodes(ctx context.Context, ids []string, include boundary.Include) ([]memory.Node, error) {
	b := g.t.Question(ctx)
	ids = b.GlobalIDs("ids", ids)
	if b.Err() != nil {
		return nil, b.Err()
	}
	return g.accessed(ctx, ids, include)
}

// accessed reads records by valid global ids, of which observations count as accessed.
func (g *Retrieval) accessed(ctx context.Context, ids []string, include boundary.Include) ([]memory.Node, error) {
	nodes, err := g.Records(ctx, ids, include)
	for _, node := range nodes {
		if observation, ok := node.(*memory.Observation); ok {
			g.t.Accesses.Note(observation.Key)
		}
	}
	return nodes, err
}

// Records reads records of any kinds in the order of their global ids, nil where there is none, for those
// that were reached through another record: unlike Nodes it counts no access.
func (g *Retrieval) Records(ctx context.Context, ids []string, include boundary.Include) ([]memory.Node, error) {
	nodes, err := g.nodesOf(ctx, ids, include)
	return nodes, faults.Of("the record", err)
}

// fittingNodes reads records as nodesOf does, or as many of the first as a page holds.
func (g *Retrieval) fittingNodes(ctx context.Context, ids []string, include boundary.Include) ([]memory.Node, error) {
	nodes, _, err := reading.PageOf(ctx, store.Page{Limit: len(ids)}, func(ctx context.Context, page store.Page) ([]memory.Node, bool, error) {
		nodes, err := g.nodesOf(ctx, ids[:page.Limit], include)
		return nodes, false, err
	})
	return nodes, err
}

// nodesOf reads records by valid global ids, in order, nil where there is none. It costs one read a kind.
func (g *Retrieval) nodesOf(ctx context.Context, ids []string, include boundary.Include) ([]memory.Node, error) {
	places := map[memory.Kind][]int{}
	keys := map[memory.Kind][]string{}
	for i, id := range ids {
		kind, key, _ := memory.SplitID(id)
		places[kind], keys[kind] = append(places[kind], i), append(keys[kind], key)
	}
	nodes := make([]memory.Node, len(ids))
	for kind, wanted := range keys {
		if !g.t.MayRead(kind) {
			continue
		}
		found, err := g.nodes(ctx, kind, wanted, include)
		if err != nil {
			return nil, err
		}
		for i, node := range found {
			nodes[places[kind][i]] = node
		}
	}
	return nodes, nil
}

// nodes reads records of one kind.
func (g *Retrieval) nodes(ctx context.Context, kind memory.Kind, keys []string, include boundary.Include) ([]memory.Node, error) {
	read, known := map[memory.Kind]func(context.Context, []string) ([]memory.Node, error){
		memory.KindAgent:   reading.AsNodes(reading.ByKey[memory.Agent](g.t.Store)),
		memory.KindSession: reading.AsNodes(reading.ByKey[memory.Session](g.t.Store)),
		memory.KindEpisode: reading.AsNodes(func(ctx context.Context, keys []string) ([]*memory.Episode, error) {
			return g.t.Store.Episodes(ctx, store.EpisodesByKey{Keys: keys, Parts: include.Parts()})
		}),
		memory.KindCanvas:          reading.AsNodes(reading.ByKey[memory.Canvas](g.t.Store)),
		memory.KindFeedback:        reading.AsNodes(reading.ByKey[memory.Feedback](g.t.Store)),
		memory.KindMemoir:          reading.AsNodes(reading.ByKey[memory.Memoir](g.t.Store)),
		memory.KindConcept:         reading.AsNodes(reading.ByKey[memory.Concept](g.t.Store)),
		memory.KindObservation:     reading.AsNodes(reading.ByKey[memory.Observation](g.t.Store)),
		memory.KindCorrection:      reading.AsNodes(reading.ByKey[memory.Correction](g.t.Store)),
		memory.KindLearningProfile: reading.AsNodes(g.t.ProfilesByKey),
		memory.KindExecution:       reading.AsNodes(reading.ByKey[memory.Execution](g.t.Store)),
		memory.KindRun:             reading.AsNodes(reading.ByKey[memory.Run](g.t.Store)),
		memory.KindSection:         reading.AsNodes(reading.ByKey[memory.Section](g.t.Store)),
		memory.KindVerdict:         reading.AsNodes(reading.ByKey[memory.Verdict](g.t.Store)),
		memory.KindPattern:         reading.AsNodes(reading.ByKey[memory.Pattern](g.t.Store)),
	}[kind]
	if !known {
		return nil, store.ErrInvalid
	}
	return read(ctx, keys)
}
