package neo4j

import (
	"context"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory/decay"
	"mneme/store"
)

// AddAccesses adds to access counts; see store.ObservationStore. Several of one observation are one, and
// all writers lock in the order of the keys.
func (s *tenantStore) AddAccesses(ctx context.Context, accesses []store.Access) error {
	sums := map[string]store.Access{}
	for _, access := range accesses {
		sum := sums[access.Key]
		sum.Count += access.Count
		if access.At.After(sum.At) {
			sum.At = access.At
		}
		sums[access.Key] = sum
	}
	if len(sums) == 0 {
		return nil
	}
	rows := make([]parameters, 0, len(sums))
	for _, key := range sortedKeys(sums) {
		rows = append(rows, parameters{"key": key, "count": sums[key].Count, "at": instant(sums[key].At)})
	}
	return s.write(ctx, func(t *transaction) error {
		return t.run(named("add_accesses"), parameters{"rows": rows}, nil)
	})
}

// PruneObservations removes what weighs too little, in parts; see store.ObservationStore.
func (s *tenantStore) PruneObservations(ctx context.Context, p store.Pruning) (int, error) {
	values := decayParameters(p.Now)
	values["minWeight"] = p.MinWeight
	if p.DryRun {
		return s.count(ctx, s.query(rendered("count_prunable", decayOf(p.Policy)), values))
	}
	keys, err := s.prunable(ctx, p.Policy, values)
	if err != nil {
		return 0, err
	}
	count := 0
	for part := range slices.Chunk(keys, mostDeleted) {
		var gone int
		values["keys"] = part
		err := s.write(ctx, func(t *transaction) (err error) {
			gone, err = t.prune(rendered("prune", decayOf(p.Policy)), values)
			return err
		})
		if err != nil {
			return count, err
		}
		count += gone
	}
	return count, nil
}

// prunable finds what weighs too little.
func (s *tenantStore) prunable(ctx context.Context, policy decay.Policy, values parameters) ([]string, error) {
	return read(ctx, s.backend, s.query(rendered("prunable", decayOf(policy)), values), column[string]("key"))
}

func (t *transaction) prune(pruning statement, values parameters) (int, error) {
	var pruned int
	var waits []any
	var sessions []string
	err := t.run(pruning, values, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		pruned, waits, sessions = f.integer("pruned"), list[any](f, "waits"), list[string](f, "sessions")
		return f.err
	})
	if err != nil {
		return 0, err
	}
	return pruned, t.letGo(waits, sessions)
}
