package neo4j

import (
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// addAccesses adds to access counts.
func (t *transaction) addAccesses(accesses []store.Access) ([]store.Recorded, error) {
	rows := make([]cypher.Parameters, len(accesses))
	for i, access := range accesses {
		rows[i] = cypher.Parameters{"key": access.Key, "count": access.Count, "at": bolt.Instant(access.At)}
	}
	return make([]store.Recorded, len(accesses)), t.Run(cypher.Named("add_accesses"), cypher.Parameters{"rows": rows}, nil)
}
