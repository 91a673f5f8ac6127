package sqlite

import (
	"encoding/json"

	"mneme/memory"
)

// nodeID is the id of a node, 0 where there is none.
func nodeID(c *conn, kind memory.Kind, key string) (id int64, err error) {
	const find = `SELECT id FROM nodes WHERE kind = :kind AND key = :key`
	_, err = c.one(find, func(r *row) { id = r.integer() }, arg("kind", string(kind)), arg("key", key))
	return id, err
}

// addNode makes a node, links it with what has been waiting to be about it, and answers its id.
func addNode(c *conn, kind memory.Kind, key string) (int64, error) {
	id, err := c.insert(`INSERT INTO nodes (kind, key) VALUES (:kind, :key)`, arg("kind", string(kind)), arg("key", key))
	if err != nil {
		return 0, err
	}
	return id, linkWaitingAnnotations(c, id, memory.NodeID(kind, key))
}

// ensureAgent answers an agent's id. An agent that is not known yet is named by its key, unless a name
// is given; a given name renames a known one.
func ensureAgent(c *conn, key string, name *string) (int64, error) {
	id, err := nodeID(c, memory.KindAgent, key)
	if err != nil {
		return 0, err
	}
	if id == 0 {
		if id, err = addNode(c, memory.KindAgent, key); err != nil {
			return 0, err
		}
		if name == nil {
			name = &key
		}
	}
	if name != nil {
		const save = `INSERT INTO agents (id, name) VALUES (:id, :name) ON CONFLICT DO UPDATE SET name = excluded.name`
		err = c.exec(save, arg("id", id), arg("name", name))
	}
	return id, err
}

// ensureSession answers a session's id, 0 for nil.
func ensureSession(c *conn, key *string) (int64, error) {
	if key == nil {
		return 0, nil
	}
	id, err := nodeID(c, memory.KindSession, *key)
	if err != nil || id != 0 {
		return id, err
	}
	return addNode(c, memory.KindSession, *key)
}

// idOrNull is an id as a parameter, null for 0.
func idOrNull(id int64) any {
	if id == 0 {
		return nil
	}
	return id
}

// jsonOf is a list as a parameter for json_each.
func jsonOf[T string | int64](list []T) (string, error) {
	text, err := json.Marshal(list)
	return string(text), err
}
