package graph

import (
	"fmt"

	"mneme/store/sqlite/db"
)

// What changes of episodes is noted in tables, for who keeps it in memory.
var (
	embeddingChanged = noteIn("embedding_changes", `:episode`)
	liftChanged      = noteIn("lift_changes", `:episode`)
	liftedChanged    = noteIn("lift_changes", `e.id FROM episodes e WHERE e.id = :episode AND `+IsLifted)
)

// noteIn notes a change of an episode in a table, later than all others. Where another program wrote the greatest of numbers there, it begins
// anew; who keeps something then sees no changes until it reads all again.
func noteIn(table, episode string) string {
	return fmt.Sprintf(`INSERT OR REPLACE INTO %[1]s (revision, episode)
		SELECT (SELECT coalesce(max(revision), 0) %% 9007199254740992 + 1 FROM %[1]s), %[2]s`, table, episode)
}

// IsLifted is the condition of the index of episodes e that a boost lifts, by time.
const IsLifted = `(e.canvas_action_count > 0 OR e.feedback_sum > 0)`

// NoteLifted notes of an episode that what is known of it changes, if a boost lifts it: it begins at another time, or is deleted, and another may
// get its number.
func NoteLifted(c *db.Conn, episode int64) error { return noteChange(c, liftedChanged, episode) }

func noteChange(c *db.Conn, note string, episode int64) error {
	return c.Exec(note, db.Arg("episode", episode))
}
