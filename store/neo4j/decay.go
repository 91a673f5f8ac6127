package neo4j

import (
	"time"

	"mneme/memory"
)

// decayShape is the part of a query that depends on the rule by which weights change.
type decayShape struct{ TimeFades bool }

func decayOf(policy memory.DecayPolicy) decayShape {
	return decayShape{TimeFades: policy == memory.DecayTimeFades}
}

// decayParameters are the values of weight.cypher.
func decayParameters(now time.Time) parameters {
	base, pinned := parameters{}, []string{}
	for _, importance := range memory.Importances {
		base[string(importance)] = importance.BaseWeight()
		if importance.Pinned() {
			pinned = append(pinned, string(importance))
		}
	}
	return parameters{
		"base": base, "otherBase": memory.Importance("").BaseWeight(), "pinned": pinned, "now": now.UnixMilli(),
		"perAccess": memory.DecayPerAccess, "halfLife": memory.DecayHalfLifeDays,
	}
}
