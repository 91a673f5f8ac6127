package neo4j

import (
	"context"

	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// Backlog counts what waits; see store.Backlogged. There are no files.
func (s *tenantStore) Backlog(ctx context.Context) (store.Backlog, error) {
	var all store.Backlog
	q := s.Query(cypher.Rendered("backlog", searchedLabels), cypher.Parameters{"most": store.MostBacklog})
	err := s.Each(ctx, q, func(f *bolt.Fields) {
		all = store.Backlog{Traces: f.Integer("traces"), Oldest: f.OptionalInstant("oldest"), Vectors: min(f.Integer("due"), store.MostBacklog)}
	})
	if !s.backend.vectors {
		all.Vectors = 0
	}
	return all, err
}
