package graph

import (
	"database/sql/driver"
	"fmt"
	"time"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
)

// ExecutedBy is the episode that covers an execution, the first started of several, and its user; "" where none does.
func ExecutedBy(tx *db.Tx, execution string) (episode string, user *string) {
	const find = `SELECT n.key, e.user_id FROM episode_executions x JOIN episodes e ON e.id = x.episode JOIN nodes n ON n.id = e.id
		WHERE x.key = :key ORDER BY e.started_at, n.key LIMIT 1`
	tx.One(find, func(r *db.Row) { episode, user = r.Text(), r.OptionalText() }, db.Arg("key", execution))
	return episode, user
}

// LinkAbout links an annotation (an observation or a correction) with the records that it is about. Those
// that are not there yet it waits for.
func LinkAbout(tx *db.Tx, annotation int64, ids []string, at time.Time) {
	for _, id := range ids {
		kind, key, _ := memory.SplitID(id)
		if node := NodeID(tx, kind, key); node == 0 {
			Wait(tx, linking.RecordRef(kind, key), annotation)
		} else {
			AddEdge(tx, annotation, edgeAbout, node, at)
		}
	}
}

// FindNode is the node of a global id, 0 where there is none.
func FindNode(tx *db.Tx, id string) int64 {
	kind, key, _ := memory.SplitID(id) // which no node has where the id is none
	return NodeID(tx, kind, key)
}

// AboutOf is a column that lists what a record x is about, in the order of the ids' bytes.
const AboutOf = `(SELECT json_group_array(target_ref) FROM
	(SELECT target_ref FROM edges WHERE source = x.id AND type = 'ABOUT' ORDER BY target_ref))`

// Wait keeps a node's wish for a record that is not there yet.
func Wait(tx *db.Tx, a linking.PendingRef, node int64) {
	const add = `INSERT INTO waiting (kind, key, node) VALUES (:kind, :key, :node) ON CONFLICT DO NOTHING`
	tx.Adds(`waiting`)
	tx.Exec(add, append(awaitedArgs(a), db.Arg("node", node))...)
}

func awaitedArgs(a linking.PendingRef) []driver.NamedValue {
	return []driver.NamedValue{db.Arg("kind", string(a.Kind)), db.Arg("key", a.Key)}
}

// WaitersFor are the records that wait for another, in the order in which they came.
func WaitersFor(tx *db.Tx, a linking.PendingRef) []linking.Waiter {
	const find = `SELECT n.kind, n.key, coalesce(e.user_id, v.user_id, f.user_id) FROM (SELECT node FROM waiting WHERE kind = :kind AND key = :key) w
		JOIN nodes n ON n.id = w.node LEFT JOIN episodes e ON e.id = n.id LEFT JOIN canvases v ON v.id = n.id LEFT JOIN feedback f ON f.id = n.id ORDER BY n.id`
	if !tx.Any(`waiting`) {
		return nil
	}
	return db.Rows(tx, find, func(r *db.Row) linking.Waiter {
		return linking.Waiter{Kind: memory.Kind(r.Text()), Key: r.Text(), Awaited: a, User: r.Text()}
	}, awaitedArgs(a)...)
}

// EndWait ends a node's wait for a record that is there now.
func EndWait(tx *db.Tx, a linking.PendingRef, node int64) {
	if tx.Any(`waiting`) {
		tx.Exec(`DELETE FROM waiting WHERE kind = :kind AND key = :key AND node = :node`, append(awaitedArgs(a), db.Arg("node", node))...)
	}
}

// EndEpisodeWaits ends what nodes wait for to get an episode: all but the canvas that they are on.
func EndEpisodeWaits(tx *db.Tx, nodes []int64) {
	if tx.Any(`waiting`) {
		tx.Exec(`DELETE FROM waiting WHERE node IN (SELECT value FROM json_each(:nodes)) AND kind <> 'canvas'`, db.List("nodes", nodes))
	}
}

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
