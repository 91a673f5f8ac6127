package sqlite

import "mneme/memory"

// What a node waits for is as package linking says, or the record of a global id:
const waitAbout memory.Kind = "about"

// wait keeps a node's wish for a record that is not there yet.
func wait(c *conn, kind memory.Kind, key string, node int64) error {
	const add = `INSERT INTO waiting (kind, key, node) VALUES (:kind, :key, :node) ON CONFLICT DO NOTHING`
	nowWaits(c)
	return c.exec(add, arg("kind", string(kind)), arg("key", key), arg("node", node))
}

// waiter is a node that waits.
type waiter struct {
	node int64
	kind memory.Kind // of the node
}

// waitersFor are the nodes that wait for a record, in the order in which they came.
func waitersFor(c *conn, kind memory.Kind, key string) (found []waiter, err error) {
	const find = `SELECT w.node, n.kind FROM waiting w JOIN nodes n ON n.id = w.node WHERE w.kind = :kind AND w.key = :key ORDER BY w.node`
	if waits, err := anyWaits(c); !waits || err != nil {
		return nil, err
	}
	err = c.query(find, func(r *row) error {
		found = append(found, waiter{node: r.integer(), kind: memory.Kind(r.text())})
		return nil
	}, arg("kind", string(kind)), arg("key", key))
	return found, err
}

// endWait forgets all who waited for a record, now that it is there.
func endWait(c *conn, kind memory.Kind, key string) error {
	return c.exec(`DELETE FROM waiting WHERE kind = :kind AND key = :key`, arg("kind", string(kind)), arg("key", key))
}

// leaveSession ends a node's wait for an episode of its session.
func leaveSession(c *conn, node int64) error {
	if waits, err := anyWaits(c); !waits || err != nil {
		return err
	}
	return c.exec(`DELETE FROM waiting WHERE node = :node AND kind = 'session'`, arg("node", node))
}

// asked is what a write of many records asks once: whether any record waits for another.
type asked struct{ waits *bool }

// anyWaits says whether any record may wait for another.
func anyWaits(c *conn) (bool, error) {
	once := partOf[asked](c)
	if once == nil {
		return true, nil
	}
	return c.askOnce(&once.waits, `SELECT 1 FROM waiting LIMIT 1`)
}

// nowWaits notes that one does.
func nowWaits(c *conn) {
	if once := partOf[asked](c); once != nil {
		once.waits = new(true)
	}
}
