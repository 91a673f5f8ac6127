package graph

import (
	"database/sql/driver"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
)

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
func WaitersFor(tx *db.Tx, a linking.PendingRef) (found []linking.Waiter) {
	const find = `SELECT n.kind, n.key, coalesce(e.user_id, v.user_id, f.user_id) FROM (SELECT node FROM waiting WHERE kind = :kind AND key = :key) w
		JOIN nodes n ON n.id = w.node LEFT JOIN episodes e ON e.id = n.id LEFT JOIN canvases v ON v.id = n.id LEFT JOIN feedback f ON f.id = n.id ORDER BY n.id`
	if tx.Any(`waiting`) {
		tx.Each(find, func(r *db.Row) {
			found = append(found, linking.Waiter{Kind: memory.Kind(r.Text()), Key: r.Text(), Awaited: a, User: linking.OrNone(r.OptionalText())})
		}, awaitedArgs(a)...)
	}
	return found
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
