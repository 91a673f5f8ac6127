package graph

import (
	"mneme/memory"
	"mneme/store/sqlite/db"
)

// WaitAbout is what a node waits for that is about the record of a global id. Else it waits for what package linking says.
const WaitAbout memory.Kind = "about"

// Wait keeps a node's wish for a record that is not there yet.
func Wait(tx *db.Tx, kind memory.Kind, key string, node int64) {
	const add = `INSERT INTO waiting (kind, key, node) VALUES (:kind, :key, :node) ON CONFLICT DO NOTHING`
	if once := db.Part[asked](tx); once != nil {
		once.waits = new(true)
	}
	tx.Exec(add, db.Arg("kind", string(kind)), db.Arg("key", key), db.Arg("node", node))
}

// Waiter is a node that waits.
type Waiter struct {
	Node int64
	Kind memory.Kind // of the node
}

// WaitersFor are the nodes that wait for a record, in the order in which they came.
func WaitersFor(tx *db.Tx, kind memory.Kind, key string) (found []Waiter) {
	const find = `SELECT w.node, n.kind FROM waiting w JOIN nodes n ON n.id = w.node WHERE w.kind = :kind AND w.key = :key ORDER BY w.node`
	if anyWaits(tx) {
		tx.Each(find, func(r *db.Row) {
			found = append(found, Waiter{Node: r.Integer(), Kind: memory.Kind(r.Text())})
		}, db.Arg("kind", string(kind)), db.Arg("key", key))
	}
	return found
}

// EndWait forgets all who waited for a record, now that it is there.
func EndWait(tx *db.Tx, kind memory.Kind, key string) {
	tx.Exec(`DELETE FROM waiting WHERE kind = :kind AND key = :key`, db.Arg("kind", string(kind)), db.Arg("key", key))
}

// leaveSession ends a node's wait for an episode of its session.
func leaveSession(tx *db.Tx, node int64) {
	if anyWaits(tx) {
		tx.Exec(`DELETE FROM waiting WHERE node = :node AND kind = 'session'`, db.Arg("node", node))
	}
}

// asked is what a write of many records asks once: whether any record waits for another.
type asked struct{ waits *bool }

// anyWaits says whether any record may wait for another.
func anyWaits(tx *db.Tx) bool {
	once := db.Part[asked](tx)
	return once == nil || tx.AskOnce(&once.waits, `SELECT 1 FROM waiting LIMIT 1`)
}
