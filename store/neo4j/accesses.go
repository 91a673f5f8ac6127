package neo4j

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// AddAccesses adds to access counts; see store.ObservationStore.
func (s *tenantStore) AddAccesses(ctx context.Context, accesses []store.Access) error {
	if len(accesses) == 0 {
		return nil
	}
	rows := make([]cypher.Parameters, len(accesses))
	for i, access := range accesses {
		rows[i] = cypher.Parameters{"key": access.Key, "count": access.Count, "at": bolt.Instant(access.At)}
	}
	return s.write(ctx, func(t *transaction) error {
		return t.Run(cypher.Named("add_accesses"), cypher.Parameters{"rows": rows}, nil)
	})
}

// PruneObservations removes what weighs too little, in parts; see store.ObservationStore.
func (s *tenantStore) PruneObservations(ctx context.Context, p store.Pruning) (int, error) {
	values := decayParameters(p.Now)
	values["minWeight"] = p.MinWeight
	if p.DryRun {
		return s.Count(ctx, s.Query(cypher.Rendered("count_prunable", decayOf(p.Policy)), values))
	}
	keys, err := s.prunable(ctx, p.Policy, values)
	if err != nil {
		return 0, err
	}
	if _, err := s.InputKey(ctx); err != nil {
		return 0, err
	}
	count := 0
	for part := range slices.Chunk(keys, maxDeleted) {
		values["keys"] = part
		gone, err := written(ctx, s, func(t *transaction) (int, error) {
			return t.prune(cypher.Rendered("prune", decayOf(p.Policy)), values, part)
		})
		if err != nil {
			return count, err
		}
		count += gone
	}
	return count, nil
}

// prunable finds what weighs too little.
func (s *tenantStore) prunable(ctx context.Context, policy decay.Policy, values cypher.Parameters) ([]string, error) {
	return bolt.Read(ctx, s.Connection, s.Query(cypher.Rendered("prunable", decayOf(policy)), values), bolt.Column[string]("key"))
}

// prune deletes those of observations that still weigh too little. Their tombstones are locked first, as whoever
// restores them does.
func (t *transaction) prune(pruning cypher.Statement, values cypher.Parameters, keys []string) (int, error) {
	tombstones := graph.SetOf(graph.TombstoneKeys(t.store.KnownKey(), memory.NodeIDs(memory.KindObservation, keys))...)
	if _, err := graph.LockTombstones(t.Transaction, tombstones); err != nil {
		return 0, err
	}
	pruned, err := bolt.RowsOf(t.Transaction, pruning, values, bolt.Column[string]("key"))
	if err != nil || len(pruned) == 0 {
		return 0, err
	}
	if err := t.bury(memory.KindObservation, pruned...); err != nil {
		return 0, err
	}
	return deleting(memory.KindObservation)(t, pruned)
}
