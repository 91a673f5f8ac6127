package graph

import "mneme/memory/decay"

// Weight is what an observation weighs by a policy at the instant $now, of the expressions for its importance, how
// often it was read, and when it was last used.
func Weight(policy decay.Policy, importance, accesses, used string) string {
	return policy.Expression(importance, "coalesce(toIntegerOrNull("+accesses+"), 0)",
		"CASE WHEN "+used+" IS :: ZONED DATETIME NOT NULL AND "+used+".epochMillis < $now THEN $now - "+used+".epochMillis ELSE 0 END")
}
