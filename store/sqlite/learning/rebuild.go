package learning

import (
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// Rebuild sums up a profile anew, from what can be read of its window and its archive, and its agent's
// episodes. It is gone where nothing is left.
func Rebuild(tx *db.Tx, id int64) {
	key := nodeKey(tx, id)
	if key == "" { // it is no record any more
		tx.Exec(`DELETE FROM profiles WHERE id = :id`, db.Arg("id", id))
		return
	}
	p := &Profile{}
	p.AgentKey, p.TaskType, _ = memory.SplitProfileKey(key)
	archived, left := ofNoOther(tx, id, slices.Concat(p.soundArchive(tx, id), soundWindow(tx, id)))
	hashes := map[string]any{}
	for _, e := range archived {
		const hash = `SELECT x.input_hash FROM nodes n JOIN executions x ON x.id = n.id WHERE n.kind = 'execution' AND n.key = :key`
		tx.One(hash, func(r *db.Row) { hashes[e.Key] = db.Bytes(r.Blob()) }, db.Arg("key", e.Key))
	}
	graph.DeleteNodes(tx, slices.Concat(graph.SourcesOf(tx, graph.EdgeOf, id), left, p.leftOfOwn(tx), []int64{id}))
	for _, e := range archived {
		fresh := open(tx, p.AgentKey, p.TaskType, e.At)
		fresh.Take(tx, e, hashes[e.Key])
		fresh.save(tx)
	}
	const lost = `SELECT e.id ` + Uncounted + ` AND e.task_type = :type AND e.agent = (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent)`
	countAll(tx, tx.IDs(lost, db.Arg("type", p.TaskType), db.Arg("agent", p.AgentKey)))
}

// ofNoOther are the executions that no link says to be of another profile, each once, and their nodes.
func ofNoOther(tx *db.Tx, profile int64, executions []*memory.Execution) (own []*memory.Execution, nodes []int64) {
	seen := map[string]bool{}
	for _, e := range executions {
		if seen[e.Key] {
			continue
		}
		seen[e.Key] = true
		id := graph.NodeID(tx, memory.KindExecution, e.Key)
		if of := graph.TargetsOf(tx, id, graph.EdgeOf); len(of) > 0 && !slices.Contains(of, profile) {
			continue
		}
		own = append(own, e)
		if id != 0 {
			nodes = append(nodes, id)
		}
	}
	return own, nodes
}

// leftOfOwn are the nodes of executions that the profile's episodes are, and that are of no profile any more.
func (p *Profile) leftOfOwn(tx *db.Tx) []int64 {
	const find = `SELECT x.id ` + withoutProfile + ` AND x.key IN (SELECT n.ref FROM episodes e JOIN nodes n ON n.id = e.id
		WHERE e.task_type = :type AND e.agent = (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent))`
	return tx.IDs(find, db.Arg("type", p.TaskType), db.Arg("agent", p.AgentKey))
}

// soundWindow are the executions of a window that can be read and are no episodes, whatever the counters say.
func soundWindow(tx *db.Tx, id int64) (found []*memory.Execution) {
	tx.One(wholeProfile+` WHERE p.id = :id`, func(r *db.Row) {
		p := readColumns(r)
		p.Total, p.Successful, p.Timed = len(p.Window.At), 0, 0
		if r.Err == nil && p.Check() == nil {
			found = slices.DeleteFunc(p.Executions(), ofEpisode)
		}
		r.Err = nil
	}, db.Arg("id", id))
	return found
}

func ofEpisode(e *memory.Execution) bool {
	return strings.HasPrefix(e.Key, memory.NodeID(memory.KindEpisode, ""))
}

// soundArchive are the archived executions of a profile that can be read and are no episodes.
func (p *Profile) soundArchive(tx *db.Tx, id int64) (found []*memory.Execution) {
	tx.Each(archiveOf, func(r *db.Row) {
		e := p.readArchived(r)
		if r.Err == nil && !ofEpisode(e) {
			found = append(found, e)
		}
		r.Err = nil
	}, db.Arg("profile", id))
	return found
}

// keyOf is the key of a node.
func keyOf(c *db.Conn, id int64) (key string, err error) {
	_, err = c.One(`SELECT key FROM nodes WHERE id = :id`, func(r *db.Row) { key, _ = db.Read[string](r) }, db.Arg("id", id))
	return key, err
}

// nodeKey is keyOf for a write.
func nodeKey(tx *db.Tx, id int64) string {
	return db.Ask(tx, func(c *db.Conn) (string, error) { return keyOf(c, id) })
}

const (
	// Miscounted are profiles p that do not count the executions that are linked with them, or count some of episodes that are gone.
	Miscounted = `FROM profiles p WHERE (p.total <> (SELECT count(*) FROM edges o WHERE o.target = p.id AND o.type = 'OF')
		OR length(p.times) <> 8 * min(p.total, 100)
		OR p.total - length(p.times) / 8 <> (SELECT count(*) FROM archive x WHERE x.profile = p.id)
		OR EXISTS (SELECT 1 FROM edges o JOIN nodes x ON x.id = o.source WHERE o.target = p.id AND o.type = 'OF' AND x.key GLOB 'episode:*'
			AND NOT EXISTS (SELECT 1 FROM edges f WHERE f.source = x.id AND f.type = 'FROM')))`

	// Uncounted are episodes e that are executions, and that no profile counts.
	Uncounted = `FROM episodes e WHERE e.task_type IS NOT NULL AND e.outcome IN ('SUCCESS', 'FAILURE')
		AND NOT EXISTS (SELECT 1 FROM edges f WHERE f.target = e.id AND f.type = 'FROM')`

	// withoutProfile are executions x that no link leads from to a profile.
	withoutProfile = `FROM nodes x WHERE x.kind = 'execution'
		AND NOT EXISTS (SELECT 1 FROM edges o JOIN profiles p ON p.id = o.target WHERE o.source = x.id AND o.type = 'OF')`
)
