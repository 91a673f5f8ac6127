package graph

import (
	"math/rand/v2"

	"mneme/memory"
	"mneme/store/neo4j/cypher"
)

// lastMark is the last at which the marks of a notice begin. They are at random, so that no two notices share any.
const lastMark = 1 << 62

// Noticed marks the properties of records that a statement makes, and gives what its part "notice" tells of them.
func Noticed(kind memory.Kind, records []cypher.Parameters) cypher.Parameters {
	mark := rand.Int64N(lastMark) //nolint:gosec // it is no secret
	for i, record := range records {
		record["notice"] = mark + int64(i)
	}
	return cypher.Parameters{"kind": string(kind), "mark": mark, "records": len(records)}
}
