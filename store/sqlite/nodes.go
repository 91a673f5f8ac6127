package sqlite

import (
	"encoding/json"
	"time"

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

// deleteNodes removes nodes with all that hangs on them, and the sessions that are empty then.
func deleteNodes(c *conn, nodes []int64) error {
	list, err := jsonOf(nodes)
	if err != nil {
		return err
	}
	if err := forgetWords(c, list); err != nil {
		return err
	}
	var sessions []int64
	const left = `SELECT DISTINCT target FROM edges WHERE source IN (SELECT value FROM json_each(:nodes)) AND type = 'IN_SESSION'`
	err = c.query(left, func(r *row) error {
		sessions = append(sessions, r.integer())
		return nil
	}, arg("nodes", list))
	if err != nil {
		return err
	}
	if err := c.exec(`DELETE FROM nodes WHERE id IN (SELECT value FROM json_each(:nodes))`, arg("nodes", list)); err != nil {
		return err
	}
	if list, err = jsonOf(sessions); err != nil || len(sessions) == 0 {
		return err
	}
	const empty = `DELETE FROM nodes WHERE id IN (SELECT value FROM json_each(:sessions))
		AND NOT EXISTS (SELECT 1 FROM edges WHERE target = nodes.id AND type = 'IN_SESSION')
		AND NOT EXISTS (SELECT 1 FROM episodes WHERE session = nodes.id) AND NOT EXISTS (SELECT 1 FROM observations WHERE session = nodes.id)`
	return c.exec(empty, arg("sessions", list))
}

// forgetWords takes nodes out of the word indexes, in the order of their ids and all of an index together: an
// index keeps in memory what comes in order, and writes it out at anything else.
func forgetWords(c *conn, nodes string) error {
	var found []node
	const find = `SELECT id, kind FROM nodes WHERE id IN (SELECT value FROM json_each(:nodes)) ORDER BY kind = 'episode', id`
	err := c.query(find, func(r *row) error {
		found = append(found, node{r.integer(), memory.Kind(r.text())})
		return nil
	}, arg("nodes", nodes))
	if err != nil {
		return err
	}
	counts := stemCounts{}
	for _, n := range found {
		words, err := indexedWords(c, n.kind, n.id)
		if err != nil {
			return err
		}
		if words.none() {
			continue
		}
		if err := changeWords(c, wordsOf(words.kind).remove, n.id, words); err != nil {
			return err
		}
		counts.add(&words)
	}
	return counts.subtract(c)
}

// The types of edges.
const (
	edgeRan       = "RAN"        // agent → episode
	edgeInSession = "IN_SESSION" // episode, canvas, feedback or observation → session
	edgePresented = "PRESENTED"  // episode → canvas
	edgeReceived  = "RECEIVED"   // episode → feedback
	edgeCausedBy  = "CAUSED_BY"  // episode → episode
	edgeOn        = "ON"         // feedback → canvas, verdict → section
	edgeMentions  = "MENTIONS"   // episode → concept
	edgeContains  = "CONTAINS"   // memoir → concept
	edgeAbout     = "ABOUT"      // observation or correction → any
	edgeOf        = "OF"         // execution → profile, profile → agent
	edgeFrom      = "FROM"       // execution → episode

	edgeInRun       = "IN_RUN"       // section → run
	edgeLearnedFrom = "LEARNED_FROM" // pattern → section
)

// The types of the edges between concepts are those of memory.RelationTypes.

// addEdge links two nodes; a link that is there stays as it is.
func addEdge(c *conn, source int64, kind string, target int64, at time.Time) error {
	// As a row of its own: with INSERT … SELECT SQLite prepares to undo the statement alone, and writes out
	// the index of words before each. A node that is not there has no ref, and no row comes of it.
	const add = `INSERT OR IGNORE INTO edges (source, type, target_ref, target, source_ref, at) VALUES
		(:source, :type, (SELECT ref FROM nodes WHERE id = :target), :target, (SELECT ref FROM nodes WHERE id = :source), :at)`
	return c.exec(add, arg("source", source), arg("type", kind), arg("at", at), arg("target", target))
}

func removeEdge(c *conn, source int64, kind string, target int64) error {
	const remove = `DELETE FROM edges WHERE source = :source AND type = :type
		AND target_ref = (SELECT ref FROM nodes WHERE id = :target)`
	return c.exec(remove, arg("source", source), arg("type", kind), arg("target", target))
}

// sourceOf is the node that an edge comes from, 0 where there is none.
func sourceOf(c *conn, kind string, target int64) (source int64, err error) {
	const find = `SELECT source FROM edges WHERE target = :target AND type = :type LIMIT 1`
	_, err = c.one(find, func(r *row) { source = r.integer() }, arg("target", target), arg("type", kind))
	return source, err
}

// targetsOf are the nodes that a node's edges go to.
func targetsOf(c *conn, source int64, kind string) ([]int64, error) {
	return ids(c, `SELECT target FROM edges WHERE source = :node AND type = :type`, source, kind)
}

func ids(c *conn, sql string, node int64, kind string) (found []int64, err error) {
	err = c.query(sql, func(r *row) error {
		found = append(found, r.integer())
		return nil
	}, arg("node", node), arg("type", kind))
	return found, err
}
