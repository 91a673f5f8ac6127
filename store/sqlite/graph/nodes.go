// Package graph is what records of all kinds have in common: a row of nodes each, links between those, what waits for a
// record that is not there yet, the aggregates of episodes that follow from links, and vectors.
package graph

import (
	"context"
	"fmt"
	"time"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/passages"
)

// FindID is the id of a node, 0 where there is none.
func FindID(c *db.Conn, kind memory.Kind, key string) (int64, error) {
	const find = `SELECT id FROM nodes WHERE kind = :kind AND key = :key`
	return c.Number(context.Background(), find, db.Arg("kind", string(kind)), db.Arg("key", key))
}

// NodeID is FindID for a write.
func NodeID(tx *db.Tx, kind memory.Kind, key string) int64 {
	return db.Ask(tx, func(c *db.Conn) (int64, error) { return FindID(c, kind, key) })
}

// NodesOf are the ids of the nodes of a kind that are there, of some keys.
func NodesOf(tx *db.Tx, kind memory.Kind, keys []string) []int64 {
	const find = `SELECT n.id FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = :kind AND n.key = w.value`
	return tx.IDs(find, db.List("keys", keys), db.Arg("kind", string(kind)))
}

// AddNode makes a node, links it with what has been waiting to be about it, and answers its id.
func AddNode(tx *db.Tx, kind memory.Kind, key string) int64 {
	id := tx.Insert(`INSERT INTO nodes (kind, key) VALUES (:kind, :key)`, db.Arg("kind", string(kind)), db.Arg("key", key))
	for _, w := range WaitersFor(tx, linking.RecordRef(kind, key)) {
		if w.Kind == memory.KindObservation || w.Kind == memory.KindCorrection {
			annotation := NodeID(tx, w.Kind, w.Key)
			AddEdgeAt(tx, annotation, edgeAbout, id, w.Kind, annotation)
			EndWait(tx, w.Awaited, annotation)
		}
	}
	return id
}

// EnsureAgent answers an agent's id. An agent that is not known yet is named by its key, unless a name
// is given; a given name renames a known one.
func EnsureAgent(tx *db.Tx, key string, name *string) int64 {
	id := NodeID(tx, memory.KindAgent, key)
	if id == 0 {
		id = AddNode(tx, memory.KindAgent, key)
		if name == nil {
			name = &key
		}
	}
	if name != nil {
		const save = `INSERT INTO agents (id, name) VALUES (:id, :name) ON CONFLICT DO UPDATE SET name = excluded.name`
		tx.Exec(save, db.Arg("id", id), db.Arg("name", name))
	}
	return id
}

// EnsureSession answers a session's id, 0 for nil.
func EnsureSession(tx *db.Tx, key *string) int64 {
	if key == nil {
		return 0
	}
	if id := NodeID(tx, memory.KindSession, *key); id != 0 {
		return id
	}
	return AddNode(tx, memory.KindSession, *key)
}

// JoinSession links a record with its session, if it has one.
func JoinSession(tx *db.Tx, record, session int64, at time.Time) {
	if session != 0 {
		AddEdge(tx, record, EdgeInSession, session, at)
	}
}

// IDOrNull is an id as a parameter, null for 0.
func IDOrNull(id int64) any {
	if id == 0 {
		return nil
	}
	return id
}

// DeleteNodes removes nodes with all that hangs on them, and the sessions that are empty then.
func DeleteNodes(tx *db.Tx, nodes []int64) {
	if len(nodes) == 0 {
		return
	}
	list := db.List("nodes", nodes)
	passages.Remove(tx, list)
	const left = `SELECT DISTINCT target FROM edges WHERE source IN (SELECT value FROM json_each(:nodes)) AND type = 'IN_SESSION'`
	sessions := tx.IDs(left, list)
	tx.Exec(`DELETE FROM nodes WHERE id IN (SELECT value FROM json_each(:nodes))`, list)
	if len(sessions) == 0 {
		return
	}
	const empty = `DELETE FROM nodes WHERE id IN (SELECT value FROM json_each(:sessions))
		AND NOT EXISTS (SELECT 1 FROM edges WHERE target = nodes.id AND type = 'IN_SESSION')
		AND NOT EXISTS (SELECT 1 FROM episodes WHERE session = nodes.id) AND NOT EXISTS (SELECT 1 FROM observations WHERE session = nodes.id)`
	tx.Exec(empty, db.List("sessions", sessions))
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

// GivenType is the type of edges that a statement is given. Some indexes hold one type only: with the bare parameter,
// SQLite would prepare the statement anew at each binding, to see whether they fit, which takes longer than running it.
const GivenType = `CAST(:type AS TEXT)`

// addEdge is a row of its own: with INSERT … SELECT SQLite prepares to undo the statement alone, and writes out the
// index of words before each. A node that is not there has no ref, and no row comes of it.
const addEdge = `INSERT OR IGNORE INTO edges (source, type, target_ref, target, source_ref, at) VALUES
	(:source, :type, (SELECT ref FROM nodes WHERE id = :target), :target, (SELECT ref FROM nodes WHERE id = :source), %s)`

var addGiven = fmt.Sprintf(addEdge, `:at`)

// AddEdge links two nodes; a link that is there stays as it is.
func AddEdge(tx *db.Tx, source int64, kind string, target int64, at time.Time) {
	tx.Exec(addGiven, db.Arg("source", source), db.Arg("type", kind), db.Arg("at", at), db.Arg("target", target))
}

// addAt is AddEdge at the time of a record, by its kind.
var addAt = func() map[memory.Kind]string {
	statements := map[memory.Kind]string{}
	for kind, at := range map[memory.Kind]string{
		memory.KindEpisode: "started_at FROM episodes", memory.KindCanvas: "created_at FROM canvases", memory.KindFeedback: "created_at FROM feedback",
		memory.KindObservation: "created_at FROM observations", memory.KindCorrection: "created_at FROM corrections",
	} {
		statements[kind] = fmt.Sprintf(addEdge, `(SELECT `+at+` WHERE id = :of)`)
	}
	return statements
}()

// AddEdgeAt is AddEdge at the time of a record of a kind.
func AddEdgeAt(tx *db.Tx, source int64, link string, target int64, kind memory.Kind, of int64) {
	tx.Exec(addAt[kind], db.Arg("source", source), db.Arg("type", link), db.Arg("target", target), db.Arg("of", of))
}

// RemoveEdge takes a link away, if it is there.
func RemoveEdge(tx *db.Tx, source int64, kind string, target int64) {
	const remove = `DELETE FROM edges WHERE source = :source AND type = ` + GivenType + `
		AND target_ref = (SELECT ref FROM nodes WHERE id = :target)`
	tx.Exec(remove, db.Arg("source", source), db.Arg("type", kind), db.Arg("target", target))
}

// RemoveSource takes away the links of a type to a node.
func RemoveSource(tx *db.Tx, kind string, target int64) {
	tx.Exec(`DELETE FROM edges WHERE target = :target AND type = `+GivenType, db.Arg("target", target), db.Arg("type", kind))
}

// Ping reads something, so that the connection looks at the file.
func Ping(c *db.Conn) error {
	_, err := c.Has(`SELECT id FROM nodes LIMIT 1`)
	return err
}
