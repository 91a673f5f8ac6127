package graph

import (
	"fmt"

	"mneme/store/sqlite/db"
)

// What episodes change is noted in, for who keeps it in memory.
var (
	embeddingChanged = noteIn("embedding_changes")
	liftChanged      = noteIn("lift_changes")
)

// noteIn notes a change of an episode in a table, later than all others. Where another program wrote the greatest of numbers there, it begins
// anew; who keeps something then sees no changes until it reads all again.
func noteIn(table string) string {
	return fmt.Sprintf(`INSERT OR REPLACE INTO %[1]s (revision, episode)
		VALUES ((SELECT coalesce(max(revision), 0) %% 9007199254740992 + 1 FROM %[1]s), :episode)`, table)
}

// IsLifted is the condition of the index of episodes e that a boost lifts, by time.
const IsLifted = `(e.canvas_action_count > 0 OR e.feedback_sum > 0)`

// NoteLifted notes of an episode that what is known of it changes, if a boost lifts it: it begins at another time, or is deleted, and another may
// get its number.
func NoteLifted(c *db.Conn, episode int64) error {
	const note = `INSERT OR REPLACE INTO lift_changes (revision, episode)
		SELECT (SELECT coalesce(max(revision), 0) % 9007199254740992 + 1 FROM lift_changes), e.id FROM episodes e WHERE e.id = :episode AND ` + IsLifted
	return noteChange(c, note, episode)
}

func noteChange(c *db.Conn, note string, episode int64) error {
	return c.Exec(note, db.Arg("episode", episode))
}
