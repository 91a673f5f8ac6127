package neo4j

import (
	"context"

	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// AddAccesses adds to access counts; see store.Annotations.
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
