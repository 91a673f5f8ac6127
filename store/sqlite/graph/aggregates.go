package graph

import (
	"fmt"

	"mneme/store/linking"
	"mneme/store/sqlite/db"
)

// Move adds what moves to the aggregates of episodes, in a batch when that is at its end.
func Move(tx *db.Tx, move func(*linking.Moves[int64])) {
	if moves := Moves(tx); moves != nil {
		move(moves)
		return
	}
	var moves linking.Moves[int64]
	move(&moves)
	addMoves(tx, &moves)
}

// CountMoves adds what a batch has moved.
func CountMoves(tx *db.Tx) { addMoves(tx, Moves(tx)) }

// Moves are those of the batch that is under way, nil where none is.
func Moves(tx *db.Tx) *linking.Moves[int64] { return db.Part[linking.Moves[int64]](tx) }

var (
	addActions  = `UPDATE episodes SET ` + Increased("canvas_action_count", "more") + ` WHERE id = :id`
	addFeedback = `UPDATE episodes SET ` + Increased("feedback_sum", "score") + `, ` + Increased("feedback_count", "more") + ` WHERE id = :id`
)

func addMoves(tx *db.Tx, moves *linking.Moves[int64]) {
	for episode, sums := range moves.Sums() {
		if sums.Actions != 0 {
			tx.Exec(addActions, db.Arg("id", episode), db.Arg("more", sums.Actions))
		}
		if sums.Feedback != 0 || sums.Score != 0 {
			tx.Exec(addFeedback, db.Arg("id", episode), db.Arg("score", sums.Score), db.Arg("more", sums.Feedback))
		}
	}
}

// Increased sets a column to more than it is. One that cannot be a sum begins anew, until the doctor sums it up; what is
// added to it might not fit.
func Increased(column, more string) string {
	return fmt.Sprintf(`%[1]s = iif(%[1]s BETWEEN -9007199254740992 AND 9007199254740992, %[1]s, 0) + :%[2]s`, column, more)
}
