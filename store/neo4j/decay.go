package neo4j

import (
	"time"

	"mneme/memory"
	"mneme/memory/decay"
)

// decayShape is the part of a query that depends on the rule by which weights change.
type decayShape struct{ Weight string }

// decayOf gives what an observation weighs of an importance, read accesses times and last used at a time.
func decayOf(policy decay.Policy) decayShape {
	return decayShape{policy.Expression("importance", "coalesce(toIntegerOrNull(accesses), 0)",
		"CASE WHEN used IS :: ZONED DATETIME NOT NULL AND used.epochMillis < $now THEN $now - used.epochMillis ELSE 0 END")}
}

// decayParameters are the values of that weight, and of who is never pruned.
func decayParameters(now time.Time) parameters {
	pinned := []string{}
	for _, importance := range memory.Importances {
		if importance.Pinned() {
			pinned = append(pinned, string(importance))
		}
	}
	return parameters{"pinned": pinned, "now": now.UnixMilli(), "since": instant(earliest)}
}
