package graph

import (
	"time"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/passages"
)

// NodeID is the id of a node, 0 where there is none.
func NodeID(c *db.Conn, kind memory.Kind, key string) (id int64, err error) {
	const find = `SELECT id FROM nodes WHERE kind = :kind AND key = :key`
	_, err = c.One(find, func(r *db.Row) { id = r.Integer() }, db.Arg("kind", string(kind)), db.Arg("key", key))
	return id, err
}

// AddNode makes a node, links it with what has been waiting to be about it, and answers its id.
func AddNode(c *db.Conn, kind memory.Kind, key string) (int64, error) {
	id, err := c.Insert(`INSERT INTO nodes (kind, key) VALUES (:kind, :key)`, db.Arg("kind", string(kind)), db.Arg("key", key))
	if err != nil {
		return 0, err
	}
	return id, LinkWaitingAnnotations(c, id, memory.NodeID(kind, key))
}

// EnsureAgent answers an agent's id. An agent that is not known yet is named by its key, unless a name
// is given; a given name renames a known one.
func EnsureAgent(c *db.Conn, key string, name *string) (int64, error) {
	id, err := NodeID(c, memory.KindAgent, key)
	if err != nil {
		return 0, err
	}
	if id == 0 {
		if id, err = AddNode(c, memory.KindAgent, key); err != nil {
			return 0, err
		}
		if name == nil {
			name = &key
		}
	}
	if name != nil {
		const save = `INSERT INTO agents (id, name) VALUES (:id, :name) ON CONFLICT DO UPDATE SET name = excluded.name`
		err = c.Exec(save, db.Arg("id", id), db.Arg("name", name))
	}
	return id, err
}

// EnsureSession answers a session's id, 0 for nil.
func EnsureSession(c *db.Conn, key *string) (int64, error) {
	if key == nil {
		return 0, nil
	}
	id, err := NodeID(c, memory.KindSession, *key)
	if err != nil || id != 0 {
		return id, err
	}
	return AddNode(c, memory.KindSession, *key)
}

// IDOrNull is an id as a parameter, null for 0.
func IDOrNull(id int64) any {
	if id == 0 {
		return nil
	}
	return id
}

// DeleteNodes removes nodes with all that hangs on them, and the sessions that are empty then.
func DeleteNodes(c *db.Conn, nodes []int64) error {
	list := db.JSONOf(nodes)
	if err := passages.Remove(c, list); err != nil {
		return err
	}
	var sessions []int64
	const left = `SELECT DISTINCT target FROM edges WHERE source IN (SELECT value FROM json_each(:nodes)) AND type = 'IN_SESSION'`
	sessions, err := db.All(c, left, (*db.Row).Integer, db.Arg("nodes", list))
	if err != nil {
		return err
	}
	if err := c.Exec(`DELETE FROM nodes WHERE id IN (SELECT value FROM json_each(:nodes))`, db.Arg("nodes", list)); err != nil {
		return err
	}
	if len(sessions) == 0 {
		return nil
	}
	const empty = `DELETE FROM nodes WHERE id IN (SELECT value FROM json_each(:sessions))
		AND NOT EXISTS (SELECT 1 FROM edges WHERE target = nodes.id AND type = 'IN_SESSION')
		AND NOT EXISTS (SELECT 1 FROM episodes WHERE session = nodes.id) AND NOT EXISTS (SELECT 1 FROM observations WHERE session = nodes.id)`
	return c.Exec(empty, db.Arg("sessions", db.JSONOf(sessions)))
}

// The types of edges.
const (
	EdgeRan        = "RAN"         // agent → episode
	EdgeInSession  = "IN_SESSION"  // episode, canvas, feedback or observation → session
	EdgePresented  = "PRESENTED"   // episode → canvas
	EdgeReceived   = "RECEIVED"    // episode → feedback
	EdgeCausedBy   = "CAUSED_BY"   // episode → episode
	EdgeOn         = "ON"          // feedback → canvas, verdict → section
	EdgeInformedBy = "INFORMED_BY" // episode → episode
	EdgeMentions   = "MENTIONS"    // episode → concept
	EdgeContains   = "CONTAINS"    // memoir → concept
	edgeAbout      = "ABOUT"       // observation or correction → any
	EdgeOf         = "OF"          // execution → profile, profile → agent
	EdgeFrom       = "FROM"        // execution → episode

	EdgeInRun       = "IN_RUN"       // section → run
	EdgeLearnedFrom = "LEARNED_FROM" // pattern → section
)

// The types of the edges between concepts are those of memory.RelationTypes.

// GivenType is the type of edges that a statement is given. Some indexes hold edges of one type only: compared with the bare parameter, a
// statement might use them or not by what that is, so that SQLite would prepare it anew whenever it is bound, which takes longer than to run it.
const GivenType = `CAST(:type AS TEXT)`

// AddEdge links two nodes; a link that is there stays as it is.
func AddEdge(c *db.Conn, source int64, kind string, target int64, at time.Time) error {
	// As a row of its own: with INSERT … SELECT SQLite prepares to undo the statement alone, and writes out
	// the index of words before each. A node that is not there has no ref, and no row comes of it.
	const add = `INSERT OR IGNORE INTO edges (source, type, target_ref, target, source_ref, at) VALUES
		(:source, :type, (SELECT ref FROM nodes WHERE id = :target), :target, (SELECT ref FROM nodes WHERE id = :source), :at)`
	return c.Exec(add, db.Arg("source", source), db.Arg("type", kind), db.Arg("at", at), db.Arg("target", target))
}

// RemoveEdge takes a link away, if it is there.
func RemoveEdge(c *db.Conn, source int64, kind string, target int64) error {
	const remove = `DELETE FROM edges WHERE source = :source AND type = ` + GivenType + `
		AND target_ref = (SELECT ref FROM nodes WHERE id = :target)`
	return c.Exec(remove, db.Arg("source", source), db.Arg("type", kind), db.Arg("target", target))
}

// SourceOf is the node that an edge comes from, 0 where there is none.
func SourceOf(c *db.Conn, kind string, target int64) (source int64, err error) {
	const find = `SELECT source FROM edges WHERE target = :target AND type = ` + GivenType + ` LIMIT 1`
	_, err = c.One(find, func(r *db.Row) { source = r.Integer() }, db.Arg("target", target), db.Arg("type", kind))
	return source, err
}

// TargetsOf are the nodes that a node's edges go to.
func TargetsOf(c *db.Conn, source int64, kind string) ([]int64, error) {
	return db.All(c, `SELECT target FROM edges WHERE source = :node AND type = `+GivenType, (*db.Row).Integer, db.Arg("node", source), db.Arg("type", kind))
}

// SourcesOf are the nodes that edges to a node come from.
func SourcesOf(c *db.Conn, kind string, target int64) ([]int64, error) {
	return db.All(c, `SELECT source FROM edges WHERE target = :node AND type = `+GivenType, (*db.Row).Integer, db.Arg("node", target), db.Arg("type", kind))
}

// Ping reads something, so that the connection looks at the file.
func Ping(c *db.Conn) error {
	_, err := c.One(`SELECT id FROM nodes LIMIT 1`, func(*db.Row) {})
	return err
}

// KeyOf is the key of a node.
func KeyOf(c *db.Conn, id int64) (key string, err error) {
	_, err = c.One(`SELECT key FROM nodes WHERE id = :id`, func(r *db.Row) { key, _ = db.Read[string](r) }, db.Arg("id", id))
	return key, err
}
