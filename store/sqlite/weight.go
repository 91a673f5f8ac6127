package sqlite

import (
	"time"

	"mneme/memory/decay"
	"mneme/store"
)

// weigh gives the expression of a policy's weight at a time of observations x, and adds its parameters.
func (w *conditions) weigh(policy decay.Policy, now time.Time) string {
	w.args = append(w.args, arg("now", now))
	return `(` + policy.Expression(`x.importance`, `x.access_count`, `max(0, :now - coalesce(x.last_accessed_at, x.created_at))`) + `)`
}

// lighterThan is the condition of pruning.
func lighterThan(pruning *store.Pruning) (w conditions) {
	weight := w.weigh(pruning.Policy, pruning.Now)
	w.add(`x.importance NOT IN ('CRITICAL', 'HIGH') AND `+weight+` < :min_weight`, arg("min_weight", pruning.MinWeight))
	return w
}
