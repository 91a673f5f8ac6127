package neo4j

import (
	"time"

	"mneme/memory"
	"mneme/memory/decay"
)

// decayShape is the part of a query that depends on the rule by which weights change.
type decayShape struct{ TimeFades bool }

func decayOf(policy decay.Policy) decayShape {
	return decayShape{TimeFades: policy == decay.TimeFades}
}

// decayParameters are the values of the part weight.
func decayParameters(now time.Time) parameters {
	base, pinned := parameters{}, []string{}
	for _, importance := range memory.Importances {
		base[string(importance)] = decay.BaseWeight(importance)
		if importance.Pinned() {
			pinned = append(pinned, string(importance))
		}
	}
	return parameters{
		"base": base, "otherBase": decay.BaseWeight(memory.Importance("")), "pinned": pinned, "now": now.UnixMilli(), "since": instant(earliest),
		"perAccess": decay.PerAccess, "halfLife": decay.HalfLifeDays,
	}
}
