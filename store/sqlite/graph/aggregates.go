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

// Increased sets a column to more than it is. One that cannot be a sum begins anew, until the doctor sums it up; what
// is added to it might not fit.
func Increased(column, more string) string {
	return fmt.Sprintf(`%[1]s = iif(%[1]s BETWEEN -9007199254740992 AND 9007199254740992, %[1]s, 0) + :%[2]s`, column, more)
}
