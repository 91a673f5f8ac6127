package sqlite

import (
	"database/sql/driver"
	"strings"
	"time"

	"mneme/store"
)

// conditions are what a query asks of episodes e, joined by AND, with their parameters. The texts are
// constants; what a caller gives is always a parameter.
type conditions struct {
	texts []string
	args  []driver.NamedValue
}

func (w *conditions) add(text string, args ...driver.NamedValue) {
	w.texts = append(w.texts, text)
	w.args = append(w.args, args...)
}

// sql joins the conditions; none is always true.
func (w *conditions) sql() string {
	if len(w.texts) == 0 {
		return "1"
	}
	return strings.Join(w.texts, " AND ")
}

// Aggregates as they are, and as they were at an instant: what has none now had none then.
const (
	aggregatesNow  = `e.canvas_action_count, e.feedback_sum, e.feedback_count`
	aggregatesThen = `CASE WHEN e.canvas_action_count = 0 THEN 0 ELSE
			(SELECT count(*) FROM edges p JOIN canvas_actions x ON x.canvas = p.target
				WHERE p.source = e.id AND p.type = 'PRESENTED' AND x.at <= :as_of) END,
		CASE WHEN e.feedback_count = 0 THEN 0.0 ELSE
			(SELECT coalesce(sum(f.score), 0.0) FROM edges p JOIN feedback f ON f.id = p.target
				WHERE p.source = e.id AND p.type = 'RECEIVED' AND f.created_at <= :as_of) END,
		CASE WHEN e.feedback_count = 0 THEN 0 ELSE
			(SELECT count(*) FROM edges p JOIN feedback f ON f.id = p.target
				WHERE p.source = e.id AND p.type = 'RECEIVED' AND f.created_at <= :as_of) END`
	scoreNow  = `e.feedback_score`
	scoreThen = `(SELECT sum(f.score) / count(*) FROM edges p JOIN feedback f ON f.id = p.target
			WHERE p.source = e.id AND p.type = 'RECEIVED' AND f.created_at <= :as_of)`
)

// filtered are the conditions of a filter. With an instant, which is then the parameter as_of for the
// caller to add, they apply to what was known at it.
func filtered(filter *store.EpisodeFilter, asOf *time.Time) (w conditions) {
	if filter.Agent != nil {
		w.add(`e.agent = (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent)`, arg("agent", filter.Agent))
	}
	if filter.Session != nil {
		w.add(`e.session = (SELECT id FROM nodes WHERE kind = 'session' AND key = :session)`, arg("session", filter.Session))
	}
	if filter.TaskType != nil {
		w.add(`e.task_type = :task_type`, arg("task_type", filter.TaskType))
	}
	if filter.Outcome != nil {
		w.add(`e.outcome = :outcome`, arg("outcome", string(*filter.Outcome)))
	}
	if filter.Since != nil {
		w.add(`e.started_at >= :since`, arg("since", filter.Since))
	}
	if filter.Until != nil {
		w.add(`e.started_at < :until`, arg("until", filter.Until))
	}
	w.addScore(filter, asOf)
	w.addCanvas(filter, asOf)
	return w
}

func (w *conditions) addScore(filter *store.EpisodeFilter, asOf *time.Time) {
	score := scoreNow
	if asOf != nil {
		score = scoreThen
	}
	if filter.MinFeedback != nil {
		w.add(score+` >= :min_feedback`, arg("min_feedback", filter.MinFeedback))
	}
	if filter.MaxFeedback != nil {
		w.add(score+` <= :max_feedback`, arg("max_feedback", filter.MaxFeedback))
	}
}

// addCanvas asks for one canvas that meets both conditions and was known.
func (w *conditions) addCanvas(filter *store.EpisodeFilter, asOf *time.Time) {
	if filter.CanvasType == nil && filter.CanvasAction == nil {
		return
	}
	text := `e.canvas_action_count > 0 AND EXISTS (SELECT 1 FROM edges p JOIN canvases v ON v.id = p.target JOIN canvas_actions x ON x.canvas = v.id
		WHERE p.source = e.id AND p.type = 'PRESENTED'`
	if filter.CanvasType != nil {
		text += ` AND v.canvas_type = :canvas_type`
		w.args = append(w.args, arg("canvas_type", filter.CanvasType))
	}
	if filter.CanvasAction != nil {
		text += ` AND x.action = :canvas_action`
		w.args = append(w.args, arg("canvas_action", string(*filter.CanvasAction)))
	}
	if asOf != nil {
		text += ` AND x.at <= :as_of`
	}
	w.add(text + `)`)
}
