package sqlite

import (
	"time"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/store"
)

// The weights of observations x, in the order of operations of decay.Policy, which gives the same
// bits. The parameters are those of weightArgs.
const (
	baseWeight = `(CASE x.importance WHEN 'CRITICAL' THEN :critical WHEN 'HIGH' THEN :high WHEN 'LOW' THEN :low ELSE :medium END)`
	use        = `(1.0 + :per_access * x.access_count)`
	ageDays    = `(max(0, :now - coalesce(x.last_accessed_at, x.created_at)) / :day)`
	pinned     = `x.importance IN ('CRITICAL', 'HIGH')`
	useFades   = `(CASE WHEN ` + pinned + ` THEN ` + baseWeight + ` ELSE ` + baseWeight + ` / ` + use + ` END)`
	timeFades  = `(CASE WHEN ` + pinned + ` THEN ` + baseWeight + ` ELSE ` +
		baseWeight + ` / (1.0 + ` + ageDays + ` / (:half_life * ` + use + `)) END)`
)

// weigh gives the expression of a policy's weight at a time, and adds its parameters.
func (w *conditions) weigh(policy decay.Policy, now time.Time) string {
	w.args = append(w.args,
		arg("critical", decay.BaseWeight(memory.ImportanceCritical)), arg("high", decay.BaseWeight(memory.ImportanceHigh)),
		arg("medium", decay.BaseWeight(memory.ImportanceMedium)), arg("low", decay.BaseWeight(memory.ImportanceLow)),
		arg("per_access", float64(decay.PerAccess)),
	)
	if policy != decay.TimeFades {
		return useFades
	}
	const day = 24 * time.Hour
	w.args = append(w.args, arg("now", now), arg("day", float64(day.Milliseconds())), arg("half_life", float64(decay.HalfLifeDays)))
	return timeFades
}

// lighterThan is the condition of pruning.
func lighterThan(pruning *store.Pruning) (w conditions) {
	weight := w.weigh(pruning.Policy, pruning.Now)
	w.add(`NOT `+pinned+` AND `+weight+` < :min_weight`, arg("min_weight", pruning.MinWeight))
	return w
}
