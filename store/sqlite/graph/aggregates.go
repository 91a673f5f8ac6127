package graph

import (
	"fmt"

	"mneme/store/linking"
	"mneme/store/sqlite/db"
)

var (
	addActions  = `UPDATE episodes SET ` + Increased("canvas_action_count", "more") + ` WHERE id = :id`
	addFeedback = `UPDATE episodes SET ` + Increased("feedback_sum", "score") + `, ` + Increased("feedback_count", "more") + ` WHERE id = :id`
)

// AddSums adds to what an episode counts.
func AddSums(tx *db.Tx, episode int64, sums linking.Sums) {
	if sums.Actions != 0 {
		tx.Exec(addActions, db.Arg("id", episode), db.Arg("more", sums.Actions))
	}
	if sums.Feedback != 0 || sums.Score != 0 {
		tx.Exec(addFeedback, db.Arg("id", episode), db.Arg("score", sums.Score), db.Arg("more", sums.Feedback))
	}
}

// Discount takes canvases and feedback that are to be deleted out of what their episodes count.
func Discount(tx *db.Tx, nodes []int64) {
	const find = `SELECT p.source, sum((SELECT count(*) FROM canvas_actions WHERE canvas = p.target)), sum(f.score IS NOT NULL),
			sum(CASE WHEN f.score BETWEEN -1 AND 1 THEN f.score ELSE 0.0 END)
		FROM json_each(:nodes) w CROSS JOIN edges p ON p.target = w.value AND p.type IN ('PRESENTED', 'RECEIVED')
		LEFT JOIN feedback f ON f.id = p.target AND f.replaced_at IS NULL GROUP BY p.source`
	owners := map[int64]linking.Sums{}
	tx.Each(find, func(r *db.Row) {
		owners[r.Integer()] = linking.Sums{Actions: -r.Int(), Feedback: -r.Int(), Score: -r.Sum()}
	}, db.List("nodes", nodes))
	for episode, sums := range owners {
		AddSums(tx, episode, sums)
	}
}

// Increased sets a column to more than it is. One that cannot be a sum begins anew, until the doctor sums it up; what is
// added to it might not fit.
func Increased(column, more string) string {
	return fmt.Sprintf(`%[1]s = iif(%[1]s BETWEEN -9007199254740992 AND 9007199254740992, %[1]s, 0) + :%[2]s`, column, more)
}
