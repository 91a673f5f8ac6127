package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// EpisodeOutcomes reads a page of how episodes turned out. It finds the page first, then where people
// intervened.
func (t *Tenant) EpisodeOutcomes(ctx context.Context, query store.OutcomesOf) ([]memory.EpisodeOutcome, bool, error) {
	w := filtered(&query.Filter, nil)
	order := w.addOrder(store.OldestFirst, query.Page.After)
	find := `SELECT k.key, e.started_at, e.outcome, e.feedback_sum, e.feedback_count, (
			SELECT json_group_array(source) FROM (
				SELECT DISTINCT f.source FROM edges r JOIN feedback f ON f.id = r.target
				WHERE r.source = e.id AND r.type = 'RECEIVED' AND f.corrections <> '' AND f.score <= 0 ORDER BY f.source))
		FROM (SELECT e.id FROM episodes e JOIN nodes k ON k.id = e.id WHERE ` + w.sql() + ` ORDER BY ` + order + ` LIMIT :limit) w
		JOIN episodes e ON e.id = w.id JOIN nodes k ON k.id = e.id ORDER BY e.started_at, k.key`
	return wholePage(ctx, t.read, query.Page.Limit, func(c *conn, most int) (read []memory.EpisodeOutcome, err error) {
		err = c.search(ctx, find, func(r *row) error {
			read = keep(r, read, memory.EpisodeOutcome{
				Key: r.key(memory.KindEpisode), StartedAt: r.time(), Outcome: word[memory.Outcome](r), FeedbackSum: r.sum(),
				FeedbackCount: r.int(), Interventions: listOf[memory.FeedbackSource](r),
			})
			return nil
		}, append(w.args[:len(w.args):len(w.args)], arg("limit", most))...)
		return read, err
	})
}

// AllTaskTypes reads the task types there are, hopping from one to the next in the indexes.
func (t *Tenant) AllTaskTypes(ctx context.Context) ([]string, error) {
	const find = `WITH RECURSIVE
		ofEpisodes (task_type) AS (
			SELECT min(task_type) FROM episodes
			UNION ALL
			SELECT (SELECT min(task_type) FROM episodes WHERE task_type > t.task_type) FROM ofEpisodes t WHERE t.task_type IS NOT NULL
		),
		ofProfiles (task_type) AS (
			SELECT min(task_type) FROM profiles
			UNION ALL
			SELECT (SELECT min(task_type) FROM profiles WHERE task_type > t.task_type) FROM ofProfiles t WHERE t.task_type IS NOT NULL
		)
		SELECT task_type FROM ofEpisodes WHERE task_type IS NOT NULL
		UNION SELECT task_type FROM ofProfiles WHERE task_type IS NOT NULL ORDER BY 1`
	types := []string{}
	err := t.read(ctx, func(c *conn) error {
		return c.search(ctx, find, func(r *row) error {
			if taskType := r.text(); !r.unreadable() {
				types = append(types, taskType)
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return types, nil
}
