package learning

import (
	"errors"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// Rebuild sums up a profile anew, from what can be read of its window and its archive, and its agent's
// episodes. It is gone where nothing is left.
func Rebuild(c *db.Conn, id int64) error {
	key, err := graph.KeyOf(c, id)
	if err != nil {
		return err
	}
	if key == "" { // it is no record any more
		return c.Exec(`DELETE FROM profiles WHERE id = :id`, db.Arg("id", id))
	}
	p := &Profile{}
	p.AgentKey, p.TaskType, _ = memory.SplitProfileKey(key)
	archived, err := p.soundArchive(c, id)
	if err != nil {
		return err
	}
	live, err := soundWindow(c, id)
	if err != nil {
		return err
	}
	archived, left, err := ofNoOther(c, id, append(archived, live...))
	if err != nil {
		return err
	}
	hashes := map[string]any{}
	for _, e := range archived {
		const hash = `SELECT x.input_hash FROM nodes n JOIN executions x ON x.id = n.id WHERE n.kind = 'execution' AND n.key = :key`
		if _, err := c.One(hash, func(r *db.Row) { hashes[e.Key] = db.Bytes(r.Blob()) }, db.Arg("key", e.Key)); err != nil {
			return err
		}
	}
	executions, err := graph.SourcesOf(c, graph.EdgeOf, id)
	if err != nil {
		return err
	}
	own, err := p.leftOfOwn(c)
	if err != nil {
		return err
	}
	if err := graph.DeleteNodes(c, slices.Concat(executions, left, own, []int64{id})); err != nil {
		return err
	}
	for _, e := range archived {
		fresh, err := open(c, p.AgentKey, p.TaskType, e.At)
		if err != nil {
			return err
		}
		if _, err := fresh.Take(c, e, hashes[e.Key]); err != nil {
			return err
		}
		if err := fresh.save(c); err != nil {
			return err
		}
	}
	return p.countOwn(c)
}

// ofNoOther are the executions that no link says to be of another profile, each once, and their nodes.
func ofNoOther(c *db.Conn, profile int64, executions []*memory.Execution) (own []*memory.Execution, nodes []int64, err error) {
	seen := map[string]bool{}
	for _, e := range executions {
		if seen[e.Key] {
			continue
		}
		seen[e.Key] = true
		id, err := graph.NodeID(c, memory.KindExecution, e.Key)
		if err != nil {
			return nil, nil, err
		}
		of, err := graph.TargetsOf(c, id, graph.EdgeOf)
		if err != nil {
			return nil, nil, err
		}
		if len(of) > 0 && !slices.Contains(of, profile) {
			continue
		}
		own = append(own, e)
		if id != 0 {
			nodes = append(nodes, id)
		}
	}
	return own, nodes, nil
}

// leftOfOwn are the nodes of executions that the profile's episodes are, and that are of no profile any more.
func (p *Profile) leftOfOwn(c *db.Conn) (nodes []int64, err error) {
	const find = `SELECT x.id ` + withoutProfile + ` AND x.key IN (SELECT n.ref FROM episodes e JOIN nodes n ON n.id = e.id
		WHERE e.task_type = :type AND e.agent = (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent))`
	return db.All(c, find, (*db.Row).Integer, db.Arg("type", p.TaskType), db.Arg("agent", p.AgentKey))
}

// soundWindow are the executions of a window that can be read and are no episodes, whatever the counters say.
func soundWindow(c *db.Conn, id int64) (found []*memory.Execution, err error) {
	_, err = c.One(wholeProfile+` WHERE p.id = :id`, func(r *db.Row) {
		p := readColumns(r)
		p.Total, p.Successful, p.Timed = len(p.Window.At), 0, 0
		if r.Err == nil && p.Check() == nil {
			found = slices.DeleteFunc(p.Executions(), ofEpisode)
		}
		r.Err = nil
	}, db.Arg("id", id))
	return found, err
}

func ofEpisode(e *memory.Execution) bool {
	return strings.HasPrefix(e.Key, memory.NodeID(memory.KindEpisode, ""))
}

// soundArchive are the archived executions of a profile that can be read and are no episodes.
func (p *Profile) soundArchive(c *db.Conn, id int64) (found []*memory.Execution, err error) {
	err = c.Query(archiveOf, func(r *db.Row) error {
		e := p.readArchived(r)
		if r.Err == nil && !ofEpisode(e) {
			found = append(found, e)
		}
		r.Err = nil
		return nil
	}, db.Arg("profile", id))
	return found, err
}

// countOwn counts the episodes that the profile has lost.
func (p *Profile) countOwn(c *db.Conn) error {
	const uncounted = `SELECT e.id ` + Uncounted + ` AND e.task_type = :type AND e.agent = (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent)`
	var episodes []int64
	episodes, err := db.All(c, uncounted, (*db.Row).Integer, db.Arg("type", p.TaskType), db.Arg("agent", p.AgentKey))
	if err != nil {
		return err
	}
	for _, id := range episodes {
		var damaged *store.Damaged
		if err := CountEpisode(c, id); err != nil && !errors.As(err, &damaged) {
			return err
		}
	}
	return nil
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
