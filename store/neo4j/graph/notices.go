package graph

import (
	"math/rand/v2"

	"mneme/memory"
	"mneme/store/neo4j/cypher"
)

// lastMark is the last at which the marks of a notice begin. They are at random, so that no two notices share any.
const lastMark = 1 << 62

// said are the properties that hold what records say.
var said = []string{
	"title", "observation", "thoughts", "actionResults", "result", "insight", "executionIds", "segments", "metadata",
	"comment", "corrections", "feedback", "strengths", "fixes", "plan",
}

// length is about how many bytes a record says.
func length(record cypher.Parameters) (bytes int) {
	for _, name := range said {
		switch v := record[name].(type) {
		case string:
			bytes += len(v)
		case *string:
			if v != nil {
				bytes += len(*v)
			}
		case []string:
			for _, text := range v {
				bytes += len(text)
			}
		}
	}
	return bytes
}

// Noticed marks the properties of records that a statement makes, and gives what its part "notice" tells of them.
func Noticed(kind memory.Kind, records []cypher.Parameters) cypher.Parameters {
	mark := rand.Int64N(lastMark) //nolint:gosec // it is no secret
	for i, record := range records {
		record["notice"], record["noticeBytes"] = mark+int64(i), length(record)
	}
	return cypher.Parameters{"kind": string(kind), "mark": mark, "records": len(records)}
}
