package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// unreadable looks for records that cannot be read, by reading all there are as an export does.
func (e *examiner) unreadable() (diagnosis, error) {
	found, count, err := unreadableIn(e.ctx, e.conn)
	if err != nil {
		return diagnosis{}, err
	}
	d := diagnosis{found: fmt.Sprintf("%d can be read", count)}
	if len(found) > 0 {
		d.fault, d.remedy = store.DamageText(found)
		d.mendTenant = func(ctx context.Context, t *Tenant) error { return t.discardLasting(ctx, found) }
	}
	return d, nil
}

// discardLasting removes what was found and cannot be read now either: others may have put it right.
func (t *Tenant) discardLasting(ctx context.Context, found []*store.Damaged) error {
	var now []*store.Damaged
	err := t.file.Snapshot(ctx, func(c *db.Conn) (err error) {
		now, _, err = unreadableIn(ctx, c)
		return err
	})
	if err != nil {
		return err
	}
	return t.file.Write(ctx, func(c *db.Conn) error {
		for _, damaged := range store.StillDamaged(found, now) {
			if err := discard(ctx, c, damaged); err != nil {
				return err
			}
		}
		return nil
	})
}

// unreadableIn finds what cannot be read, profiles first: with them go executions, or come back.
func unreadableIn(ctx context.Context, c *db.Conn) (found []*store.Damaged, count int, err error) {
	var damage store.Damage
	ctx = store.WithDamage(ctx, damage.Note)
	err = db.Reading(ctx, func(c *db.Conn) error {
		x := &export{Conn: c, ctx: ctx, each: func(store.Item) error {
			count++
			return nil
		}}
		if err := x.all(); err != nil {
			return err
		}
		return c.Search(ctx, wholeProfile, func(r *db.Row) error {
			p := readWhole(r)
			if r.Err != nil {
				key, err := keyOf(c, p.id) // its own columns may say otherwise
				if err != nil {
					return err
				}
				r.Of(memory.KindLearningProfile, key)
				r.Damaged()
			}
			return nil
		})
	})(c)
	found = damage.Found()
	slices.SortStableFunc(found, func(a, b *store.Damaged) int { return cmp.Compare(mendedAs(a), mendedAs(b)) })
	return found, count, err
}

// mendedAs is the place in the order of mending.
func mendedAs(damaged *store.Damaged) int {
	if damaged.Kind == memory.KindLearningProfile {
		return 0
	}
	return 1
}

// keyOf is the key of a node.
func keyOf(c *db.Conn, id int64) (key string, err error) {
	_, err = c.One(`SELECT key FROM nodes WHERE id = :id`, func(r *db.Row) { key, _ = db.Read[string](r) }, db.Arg("id", id))
	return key, err
}

// discard removes what cannot be read, with what only it owns. No tombstone stays: a backup may bring it back.
func discard(ctx context.Context, c *db.Conn, damaged *store.Damaged) error {
	parts := memory.SplitKey(damaged.Key)
	switch damaged.Kind {
	case store.KindSpan:
		return c.Exec(`DELETE FROM spans WHERE trace = :trace AND span = :span`, db.Arg("trace", parts[0]), db.Arg("span", parts[1]))
	case store.KindRelation:
		const remove = `DELETE FROM edges WHERE type = :type AND source_ref = :source AND target_ref = :target`
		return c.Exec(remove, db.Arg("type", parts[0]), db.Arg("source", memory.NodeID(memory.KindConcept, parts[1])),
			db.Arg("target", memory.NodeID(memory.KindConcept, parts[2])))
	case store.KindSectionType:
		return c.Exec(`DELETE FROM section_types WHERE section_type = :type`, db.Arg("type", damaged.Key))
	case store.KindTombstone:
		return c.Exec(`DELETE FROM tombstones WHERE lower(hex(hash)) = :hash`, db.Arg("hash", damaged.Key))
	case store.KindEmbedding:
		const remove = `DELETE FROM embeddings WHERE episode = (SELECT id FROM nodes WHERE kind = 'episode' AND key = :key)`
		return c.Exec(remove, db.Arg("key", damaged.Key))
	}
	id, err := graph.NodeID(c, damaged.Kind, damaged.Key)
	if err != nil || id == 0 { // it went with another
		return err
	}
	switch damaged.Kind {
	case memory.KindEpisode:
		return deleteEpisode(c, id, damaged.Key)
	case memory.KindLearningProfile:
		return rebuildProfile(c, id)
	case memory.KindFeedback:
		if err := graph.MoveFeedback(c, id, 0); err != nil {
			return err
		}
	case memory.KindExecution:
		return discardExecution(ctx, c, id, damaged.Key)
	case memory.KindRun, memory.KindMemoir, memory.KindAgent:
		return c.Exec(ownersAnew[damaged.Kind], db.Arg("id", id))
	}
	return graph.DeleteNodes(c, []int64{id})
}

// discardExecution removes an execution that cannot be read, and sums up its profile anew.
func discardExecution(ctx context.Context, c *db.Conn, id int64, key string) error {
	var still *store.Damaged
	switch found, err := executionsByKey(ctx, c, []string{key}); {
	case errors.As(err, &still):
	case err != nil:
		return err
	case store.IsSound(found[0]): // its profile was mended meanwhile, or it is only the hash of its input that is gone
		return c.Exec(`INSERT INTO executions (id) VALUES (:id) ON CONFLICT DO NOTHING`, db.Arg("id", id))
	}
	profiles, err := graph.TargetsOf(c, id, graph.EdgeOf)
	if err != nil {
		return err
	}
	const archived = `DELETE FROM archive WHERE key = (SELECT key FROM nodes WHERE id = :id) AND profile IN
		(SELECT target FROM edges WHERE source = :id AND type = 'OF')`
	if err := c.Exec(archived, db.Arg("id", id)); err != nil {
		return err
	}
	if err := graph.DeleteNodes(c, []int64{id}); err != nil {
		return err
	}
	for _, profile := range profiles {
		if err := rebuildProfile(c, profile); err != nil {
			return err
		}
	}
	return nil
}

// rebuildProfile sums up a profile anew, from what can be read of its window and its archive, and its agent's
// episodes. It is gone where nothing is left.
func rebuildProfile(c *db.Conn, id int64) error {
	key, err := keyOf(c, id)
	if err != nil {
		return err
	}
	if key == "" { // it is no record any more
		return c.Exec(`DELETE FROM profiles WHERE id = :id`, db.Arg("id", id))
	}
	p := &profile{}
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
		if _, err := c.One(hash, func(r *db.Row) { hashes[e.Key] = blob(r.Blob()) }, db.Arg("key", e.Key)); err != nil {
			return err
		}
	}
	executions, err := graph.IDs(c, `SELECT source FROM edges WHERE target = :node AND type = :type`, id, graph.EdgeOf)
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
		fresh, err := openProfile(c, p.AgentKey, p.TaskType, e.At)
		if err != nil {
			return err
		}
		if _, err := fresh.take(c, e, hashes[e.Key]); err != nil {
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
func (p *profile) leftOfOwn(c *db.Conn) (nodes []int64, err error) {
	const find = `SELECT x.id ` + withoutProfile + ` AND x.key IN (SELECT n.ref FROM episodes e JOIN nodes n ON n.id = e.id
		WHERE e.task_type = :type AND e.agent = (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent))`
	err = c.Query(find, func(r *db.Row) error {
		nodes = append(nodes, r.Integer())
		return nil
	}, db.Arg("type", p.TaskType), db.Arg("agent", p.AgentKey))
	return nodes, err
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
func (p *profile) soundArchive(c *db.Conn, id int64) (found []*memory.Execution, err error) {
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
func (p *profile) countOwn(c *db.Conn) error {
	const uncounted = `SELECT e.id ` + uncountedEpisodes + ` AND e.task_type = :type AND e.agent = (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent)`
	var episodes []int64
	err := c.Query(uncounted, func(r *db.Row) error {
		episodes = append(episodes, r.Integer())
		return nil
	}, db.Arg("type", p.TaskType), db.Arg("agent", p.AgentKey))
	if err != nil {
		return err
	}
	for _, id := range episodes {
		var damaged *store.Damaged
		if err := countEpisode(c, id); err != nil && !errors.As(err, &damaged) {
			return err
		}
	}
	return nil
}

// ownersAnew writes anew what cannot be read of records to which others belong that can be: a name for people is the
// key, a time that of the first or last of the others.
var ownersAnew = map[memory.Kind]string{
	memory.KindAgent: `INSERT INTO agents (id, name) SELECT id, key FROM nodes WHERE id = :id ON CONFLICT (id) DO UPDATE SET name = excluded.name`,
	memory.KindMemoir: `INSERT INTO memoirs (id, name, created_at, input_hash)
		SELECT id, ref, coalesce((SELECT min(created_at) FROM concepts WHERE memoir = :id AND created_at >= 0), 0), x'' FROM nodes WHERE id = :id
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = NULL, created_at = excluded.created_at`,
	memory.KindRun: `INSERT INTO runs (id, key, started_at)
		SELECT id, key, coalesce((SELECT min(at) FROM verdicts WHERE run = :id AND at >= 0), 0) FROM nodes WHERE id = :id
		ON CONFLICT (id) DO UPDATE SET started_at = excluded.started_at,
		completed_at = iif(completed_at IS NULL, NULL, coalesce((SELECT max(at) FROM verdicts WHERE run = :id AND at < 253402300800000), 0))`,
}
