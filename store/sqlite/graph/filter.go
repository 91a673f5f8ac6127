package graph

import (
	"time"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/store"
	"mneme/store/sqlite/db"
)

// Ever is a time after all times.
const Ever = 1<<63 - 1

// AsOfOrEver is an instant as a parameter; none is after all times.
func AsOfOrEver(asOf *time.Time) int64 {
	if asOf == nil {
		return Ever
	}
	return asOf.UnixMilli()
}

// Aggregates as they are, and as they were at an instant: what has no canvas actions now had none then.
const (
	// receivedThen is the feedback f of an episode e that counted at an instant.
	receivedThen = ` FROM edges p JOIN feedback f ON f.id = p.target WHERE p.source = e.id AND p.type = 'RECEIVED'
		AND f.created_at <= :as_of AND (f.replaced_at IS NULL OR f.replaced_at > :as_of))`

	// Corrects is feedback f by which people put an episode right without praise.
	Corrects = `f.corrections <> '' AND f.score <= 0`

	AggregatesNow  = `e.canvas_action_count, e.feedback_sum, e.feedback_count`
	aggregatesThen = `CASE WHEN e.canvas_action_count = 0 THEN 0 ELSE
			(SELECT count(*) FROM edges p JOIN canvas_actions x ON x.canvas = p.target
				WHERE p.source = e.id AND p.type = 'PRESENTED' AND x.at <= :as_of) END,
		(SELECT coalesce(sum(f.score), 0.0)` + receivedThen + `, (SELECT count(*)` + receivedThen
	// Whether people put an episode right without praise, now and as of an instant.
	CorrectedNow = `e.feedback_count > 0 AND EXISTS (SELECT 1 FROM edges p JOIN feedback f ON f.id = p.target WHERE p.source = e.id AND p.type = 'RECEIVED'
		AND ` + Corrects + ` AND f.replaced_at IS NULL)`
	CorrectedThen = `(SELECT count(iif(` + Corrects + `, 1, NULL))` + receivedThen

	scoreNow  = `e.feedback_score`
	scoreThen = `(SELECT sum(f.score) / count(*)` + receivedThen
)

// Aggregates are those of an episode e as they are, or as they were at an instant, which is then the parameter as_of.
func Aggregates(asOf *time.Time) string {
	if asOf != nil {
		return aggregatesThen
	}
	return AggregatesNow
}

// IsBoosted is the condition of the index of episodes e that have canvas actions or praise, by time.
const IsBoosted = `(e.canvas_action_count > 0 OR e.feedback_sum > 0)`

// Filtered are the conditions of a filter. With an instant, which is then the parameter as_of for the
// caller to add, they apply to what was known at it.
func Filtered(filter *store.EpisodeFilter, asOf *time.Time) (w db.Conditions) {
	w.AddGiven(`e.agent = (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent)`, "agent", filter.Agent)
	w.AddGiven(`e.session = (SELECT id FROM nodes WHERE kind = 'session' AND key = :session)`, "session", filter.Session)
	w.AddGiven(`e.task_type = :task_type`, "task_type", filter.TaskType)
	AddUser(&w, `e.user_id`, filter.UserFilter)
	w.AddGiven(`e.outcome = :outcome`, "outcome", filter.Outcome)
	if filter.OutcomeKnown {
		w.Add(`e.outcome IN (:success, :failure)`, db.Arg("success", string(memory.OutcomeSuccess)), db.Arg("failure", string(memory.OutcomeFailure)))
	}
	w.AddGiven(`e.started_at >= :since`, "since", filter.Since)
	w.AddGiven(`e.started_at < :until`, "until", filter.Until)
	score := scoreNow
	if asOf != nil {
		score = scoreThen
	}
	w.AddGiven(score+` >= :min_feedback`, "min_feedback", filter.MinFeedback)
	w.AddGiven(score+` <= :max_feedback`, "max_feedback", filter.MaxFeedback)
	addCanvasFilter(&w, filter, asOf)
	return w
}

// Whose a canvas v or a feedback f is: where nobody said, its episode's user's, and "*" while it waits for that.
const (
	UserOfCanvas   = `coalesce(v.user_id, (SELECT h.user_id FROM edges u JOIN episodes h ON h.id = u.source WHERE u.target = v.id AND u.type = 'PRESENTED'), iif(v.agent IS NULL, '*', NULL))`
	UserOfFeedback = `coalesce(f.user_id, (SELECT h.user_id FROM edges u JOIN episodes h ON h.id = u.source WHERE u.target = f.id AND u.type = 'RECEIVED'), iif(f.waiting, '*', NULL))`
)

// AddUser keeps what is of a user, by an expression for whose a record is, and where it is shared what is of nobody.
func AddUser(w *db.Conditions, whose string, users store.UserFilter) {
	condition := whose + ` = :user`
	if users.Shared {
		condition = `(` + condition + ` OR ` + whose + ` IS NULL)`
	}
	w.AddGiven(condition, "user", users.User)
}

// Rated are conditions that an index knows, which each episode meets that meets the bounds of a filter's feedback, the
// lower one first; none where there are none, as at an instant: what was replaced since counts in no index.
func Rated(filter *store.EpisodeFilter, asOf *time.Time) (w db.Conditions) {
	if filter.MinFeedback == nil && filter.MaxFeedback == nil || asOf != nil {
		return w
	}
	w.AddGiven(`e.feedback_order >= :min_feedback`, "min_feedback", filter.MinFeedback)
	if filter.MinFeedback == nil {
		w.Add(`e.feedback_order > -1e308`)
	}
	w.AddGiven(`e.feedback_order <= :max_feedback`, "max_feedback", filter.MaxFeedback)
	return w
}

// addCanvasFilter asks for one canvas that meets both conditions and was known.
func addCanvasFilter(w *db.Conditions, filter *store.EpisodeFilter, asOf *time.Time) {
	if filter.CanvasType == nil && filter.CanvasAction == nil {
		return
	}
	text := `e.canvas_action_count > 0 AND EXISTS (SELECT 1 FROM edges p JOIN canvases v ON v.id = p.target JOIN canvas_actions x ON x.canvas = v.id
		WHERE p.source = e.id AND p.type = 'PRESENTED'`
	if filter.CanvasType != nil {
		text += ` AND v.canvas_type = :canvas_type`
		w.Args = append(w.Args, db.Arg("canvas_type", filter.CanvasType))
	}
	if filter.CanvasAction != nil {
		text += ` AND x.action = :canvas_action`
		w.Args = append(w.Args, db.Arg("canvas_action", string(*filter.CanvasAction)))
	}
	if asOf != nil {
		text += ` AND x.at <= :as_of`
	}
	w.Add(text + `)`)
}

// AddKnown keeps what was known at an instant, and gives the parameter as_of.
func AddKnown(w *db.Conditions, asOf *time.Time) {
	w.AddGiven(`e.known_at <= :as_of`, "as_of", asOf)
}

// Weight is what an observation x weighs by a policy at an instant, with the parameter now.
func Weight(w *db.Conditions, policy decay.Policy, now time.Time) string {
	w.Args = append(w.Args, db.Arg("now", now))
	return `(` + policy.Expression(`x.importance`, `x.access_count`, `max(0, :now - coalesce(x.last_accessed_at, x.created_at))`) + `)`
}

// Lighter is the condition of pruning observations x.
func Lighter(pruning *store.Pruning) (w db.Conditions) {
	weight := Weight(&w, pruning.Policy, pruning.Now)
	w.Add(`x.importance NOT IN (SELECT value FROM json_each(:pinned)) AND `+weight+` < :min_weight`,
		db.List("pinned", decay.Pinned()), db.Arg("min_weight", pruning.MinWeight))
	return w
}

// OfMemoir keeps the concepts p of one memoir, by its key.
const OfMemoir = `p.memoir = (SELECT id FROM nodes WHERE kind = 'memoir' AND key = :memoir)`
