package graph

import (
	"encoding/base64"
	"math/rand/v2"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/store/fields"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// Properties are those of the node of a record of a tenant, of which there is the hash of its input.
func Properties(tenant, key string, inputHash []byte, lists ...fields.List) cypher.Parameters {
	return bolt.Encode(cypher.Parameters{"tenant": tenant, "key": key, "inputHash": HashText(inputHash)}, lists...)
}

// HashText is the hash of an input as a node keeps it; "" for none.
func HashText(hash []byte) string { return base64.RawStdEncoding.EncodeToString(hash) }

// HashOf reads the hash of an input; what is none equals no other.
func HashOf(text string) []byte {
	hash, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return []byte(text)
	}
	return hash
}

// Weight is what an observation weighs by a policy at the instant $now, of the expressions for its importance, how
// often it was read, and when it was last used.
func Weight(policy decay.Policy, importance, accesses, used string) string {
	return policy.Expression(importance, "coalesce(toIntegerOrNull("+accesses+"), 0)",
		"CASE WHEN "+used+" IS :: ZONED DATETIME NOT NULL AND "+used+".epochMillis < $now THEN $now - "+used+".epochMillis ELSE 0 END")
}

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
