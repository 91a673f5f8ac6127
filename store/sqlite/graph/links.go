package graph

import (
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
