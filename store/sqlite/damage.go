package sqlite

import (
	"context"
	"errors"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/examine"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
	"mneme/store/sqlite/schema"
)

// unreadableIn finds what cannot be read, and counts the rest.
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
		return learning.TellDamaged(ctx, c)
	})(c)
	return damage.Found(), count, err
}

// Discard deletes those of some records that cannot be read; see store.Rebuilder.
func (t *Tenant) Discard(ctx context.Context, ids []string) (count int, err error) {
	var found []*store.Damaged
	err = t.file.Snapshot(ctx, func(c *db.Conn) (err error) {
		found, _, err = unreadableIn(ctx, c)
		var lost *store.Damaged
		if errors.As(schema.LostInputKey(c), &lost) {
			found = append(found, lost)
		}
		return err
	})
	found = store.Unreadable(found, ids)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	err = t.file.Erase(ctx, func(c *db.Conn) error {
		for _, damaged := range found {
			if damaged.Kind == store.KindSetting {
				if err := schema.MakeInputKey(c); err != nil {
					return err
				}
				continue
			}
			if err := errors.Join(ctx.Err(), discard(ctx, c, damaged)); err != nil {
				return err
			}
		}
		return nil
	})
	return len(found), err
}

// Rebuild makes anew what follows from the records; see store.Rebuilder.
func (t *Tenant) Rebuild(ctx context.Context, tell func(store.RebuildStep)) error {
	if t.file.IsNothing() {
		return ctx.Err()
	}
	return examine.Rebuild(ctx, t.file, tell)
}

// discard removes what cannot be read, with what only it owns. No tombstone stays: a backup may bring it back.
func discard(ctx context.Context, c *db.Conn, damaged *store.Damaged) error {
	parts := memory.SplitKey(damaged.Key)
	switch damaged.Kind {
	case store.KindSpan:
		return c.Exec(`DELETE FROM spans WHERE trace = :trace AND span = :span`, db.Arg("trace", parts[0]), db.Arg("span", parts[1]))
	case store.KindRelation:
		const remove = `DELETE FROM edges WHERE type = ` + graph.GivenType + ` AND source_ref = :source AND target_ref = :target`
		return c.Exec(remove, db.Arg("type", parts[0]), db.Arg("source", memory.NodeID(memory.KindConcept, parts[1])),
			db.Arg("target", memory.NodeID(memory.KindConcept, parts[2])))
	case store.KindSectionType:
		return c.Exec(`DELETE FROM section_counts WHERE key = :key`, db.Arg("key", damaged.Key))
	case store.KindJudgeThreshold:
		return c.Exec(`DELETE FROM judge_thresholds WHERE key = :key`, db.Arg("key", damaged.Key))
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
		return deleteEpisode(c, id, damaged.Key, func(nodes []int64) error { return graph.DeleteNodes(c, nodes) })
	case memory.KindLearningProfile:
		return learning.Rebuild(c, id)
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
	switch found, err := learning.ExecutionsByKey(ctx, c, []string{key}); {
	case errors.As(err, &still):
	case err != nil:
		return err
	case store.IsSound(found[0]): // its profile was mended meanwhile, or it is only the hash of its input that is gone
		return c.Exec(`INSERT INTO executions (id) VALUES (:id) ON CONFLICT DO NOTHING`, db.Arg("id", id))
	}
	counting, err := graph.TargetsOf(c, id, graph.EdgeOf)
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
	for _, profile := range counting {
		if err := learning.Rebuild(c, profile); err != nil {
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
