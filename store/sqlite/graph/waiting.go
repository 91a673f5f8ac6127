package graph

import (
	"database/sql/driver"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
)

// WaitAbout is what a node waits for that is about the record of a global id. Else it waits for what package linking says.
const WaitAbout memory.Kind = "about"

// Wait keeps a node's wish for a record that is not there yet.
func Wait(tx *db.Tx, a linking.PendingRef, node int64) { wait(tx, a.Kind, a.Key, node) }

func wait(tx *db.Tx, kind memory.Kind, key string, node int64) {
	const add = `INSERT INTO waiting (kind, key, node) VALUES (:kind, :key, :node) ON CONFLICT DO NOTHING`
	if once := db.Part[asked](tx); once != nil {
		once.waits = new(true)
	}
	tx.Exec(add, db.Arg("kind", string(kind)), db.Arg("key", key), db.Arg("node", node))
}

// what waits, by its own name or because it is about the record.
const awaitedBy = ` (kind = :kind AND key = :key OR kind = 'about' AND key = :ref) `

func awaitedArgs(a linking.PendingRef, more ...driver.NamedValue) []driver.NamedValue {
	return append(more, db.Arg("kind", string(a.Kind)), db.Arg("key", a.Key), db.Arg("ref", memory.NodeID(a.Of(), a.Key)))
}

// WaitersFor are the records that wait for another, in the order in which they came.
func WaitersFor(tx *db.Tx, a linking.PendingRef) (found []linking.Waiter) {
	const find = `SELECT n.kind, n.key, coalesce(e.user_id, v.user_id, f.user_id) FROM (SELECT node FROM waiting WHERE` + awaitedBy + `) w
		JOIN nodes n ON n.id = w.node LEFT JOIN episodes e ON e.id = n.id LEFT JOIN canvases v ON v.id = n.id LEFT JOIN feedback f ON f.id = n.id ORDER BY n.id`
	if anyWaits(tx) {
		tx.Each(find, func(r *db.Row) {
			found = append(found, linking.Waiter{Kind: memory.Kind(r.Text()), Key: r.Text(), Awaited: a, User: linking.OrNone(r.OptionalText())})
		}, awaitedArgs(a)...)
	}
	return found
}

// EndWait ends a node's wait for a record that is there now.
func EndWait(tx *db.Tx, a linking.PendingRef, node int64) {
	if anyWaits(tx) {
		tx.Exec(`DELETE FROM waiting WHERE node = :node AND`+awaitedBy, awaitedArgs(a, db.Arg("node", node))...)
	}
}

// LeaveWaits ends what nodes wait for to get an episode: all but the canvas that they are on.
func LeaveWaits(tx *db.Tx, nodes []int64) {
	if anyWaits(tx) {
		tx.Exec(`DELETE FROM waiting WHERE node IN (SELECT value FROM json_each(:nodes)) AND kind NOT IN ('canvas', 'about')`, db.List("nodes", nodes))
	}
}

// asked is what a write of many records asks once: whether any record waits for another.
type asked struct{ waits *bool }

// anyWaits says whether any record may wait for another.
func anyWaits(tx *db.Tx) bool {
	once := db.Part[asked](tx)
	return once == nil || tx.AskOnce(&once.waits, `SELECT 1 FROM waiting LIMIT 1`)
}
