package graph

import (
	"mneme/memory"
	"mneme/store/sqlite/db"
)

// WaitAbout is what a node waits for that is about the record of a global id. Else it waits for what package linking says.
const WaitAbout memory.Kind = "about"

// Wait keeps a node's wish for a record that is not there yet.
func Wait(c *db.Conn, kind memory.Kind, key string, node int64) error {
	const add = `INSERT INTO waiting (kind, key, node) VALUES (:kind, :key, :node) ON CONFLICT DO NOTHING`
	nowWaits(c)
	return c.Exec(add, db.Arg("kind", string(kind)), db.Arg("key", key), db.Arg("node", node))
}

// Waiter is a node that waits.
type Waiter struct {
	Node int64
	Kind memory.Kind // of the node
}

// WaitersFor are the nodes that wait for a record, in the order in which they came.
func WaitersFor(c *db.Conn, kind memory.Kind, key string) (found []Waiter, err error) {
	const find = `SELECT w.node, n.kind FROM waiting w JOIN nodes n ON n.id = w.node WHERE w.kind = :kind AND w.key = :key ORDER BY w.node`
	if waits, err := anyWaits(c); !waits || err != nil {
		return nil, err
	}
	err = c.Query(find, func(r *db.Row) error {
		found = append(found, Waiter{Node: r.Integer(), Kind: memory.Kind(r.Text())})
		return nil
	}, db.Arg("kind", string(kind)), db.Arg("key", key))
	return found, err
}

// EndWait forgets all who waited for a record, now that it is there.
func EndWait(c *db.Conn, kind memory.Kind, key string) error {
	return c.Exec(`DELETE FROM waiting WHERE kind = :kind AND key = :key`, db.Arg("kind", string(kind)), db.Arg("key", key))
}

// leaveSession ends a node's wait for an episode of its session.
func leaveSession(c *db.Conn, node int64) error {
	if waits, err := anyWaits(c); !waits || err != nil {
		return err
	}
	return c.Exec(`DELETE FROM waiting WHERE node = :node AND kind = 'session'`, db.Arg("node", node))
}

// asked is what a write of many records asks once: whether any record waits for another.
type asked struct{ waits *bool }

// anyWaits says whether any record may wait for another.
func anyWaits(c *db.Conn) (bool, error) {
	once := db.Part[asked](c)
	if once == nil {
		return true, nil
	}
	return c.AskOnce(&once.waits, `SELECT 1 FROM waiting LIMIT 1`)
}

// nowWaits notes that one does.
func nowWaits(c *db.Conn) {
	if once := db.Part[asked](c); once != nil {
		once.waits = new(true)
	}
}
