package sqlite

import (
	"fmt"

	"mneme/store"
	"mneme/store/linking"
)

// count adds what moves to the aggregates of episodes, in a batch when that is at its end.
func count(c *conn, move func(*linking.Moves[int64])) error {
	if moves := partOf[linking.Moves[int64]](c); moves != nil {
		move(moves)
		return nil
	}
	var moves linking.Moves[int64]
	move(&moves)
	return addMoves(c, &moves)
}

// countMoved adds what a batch has moved.
func countMoved(c *conn) error { return addMoves(c, partOf[linking.Moves[int64]](c)) }

// backfilled says what the batch that is under way has linked.
func backfilled(c *conn) store.Backfilled { return partOf[linking.Moves[int64]](c).Backfilled() }

var (
	addActions  = `UPDATE episodes SET ` + added("canvas_action_count", "more") + ` WHERE id = :id`
	addFeedback = `UPDATE episodes SET ` + added("feedback_sum", "score") + `, ` + added("feedback_count", "more") + ` WHERE id = :id`
)

func addMoves(c *conn, moves *linking.Moves[int64]) error {
	for episode, sums := range moves.Sums() {
		if sums.Actions != 0 {
			if err := c.exec(addActions, arg("id", episode), arg("more", sums.Actions)); err != nil {
				return err
			}
		}
		if sums.Feedback == 0 && sums.Score == 0 {
			continue
		}
		if err := c.exec(addFeedback, arg("id", episode), arg("score", sums.Score), arg("more", sums.Feedback)); err != nil {
			return err
		}
	}
	return nil
}

// added sets a column to more than it is. One that cannot be a sum begins anew, until the doctor sums it up; what is
// added to it might not fit.
func added(column, more string) string {
	return fmt.Sprintf(`%[1]s = iif(%[1]s BETWEEN -9007199254740992 AND 9007199254740992, %[1]s, 0) + :%[2]s`, column, more)
}
