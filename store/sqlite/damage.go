package sqlite

import (
	"context"
	"errors"

	"mneme/memory"
	"mneme/store"
	"mneme/store/invariants"
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
		x := &export{Conn: c, ctx: ctx, given: func(store.Item) error {
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
	found = invariants.Chosen(found, ids)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	err = t.file.Erase(ctx, func(tx *db.Tx) error {
		for _, damaged := range found {
			tx.Fail(ctx.Err())
			discard(tx, damaged)
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
	return examine.Rebuild(ctx, t.file, endWaits, tell)
}

// discard removes what cannot be read, with what only it owns. No tombstone stays: a backup may bring it back.
func discard(tx *db.Tx, damaged *store.Damaged) {
	parts := memory.SplitKey(damaged.Key)
	switch damaged.Kind {
	case store.KindSetting:
		tx.Fail(schema.MakeInputKey(tx.Conn))
		return
	case store.KindSpan:
		tx.Exec(`DELETE FROM spans WHERE trace = :trace AND span = :span`, db.Arg("trace", parts[0]), db.Arg("span", parts[1]))
		return
	case store.KindRelation:
		const remove = `DELETE FROM edges WHERE type = ` + graph.GivenType + ` AND source_ref = :source AND target_ref = :target`
		tx.Exec(remove, db.Arg("type", parts[0]), db.Arg("source", memory.NodeID(memory.KindConcept, parts[1])),
			db.Arg("target", memory.NodeID(memory.KindConcept, parts[2])))
		return
	}
	if remove := unlinked[damaged.Kind]; remove != "" {
		tx.Exec(remove, db.Arg("key", damaged.Key))
		return
	}
	id := graph.NodeID(tx, damaged.Kind, damaged.Key)
	if id == 0 { // it went with another
		return
	}
	switch damaged.Kind {
	case memory.KindEpisode:
		deleteEpisodes(tx, []int64{id}, true, func(nodes []int64) { graph.DeleteNodes(tx, nodes) })
	case memory.KindLearningProfile:
		learning.SumUp(tx, damaged.Key, true)
		learning.CountMissing(tx)
	case memory.KindExecution:
		discardExecution(tx, id, damaged.Key)
	case memory.KindRun, memory.KindMemoir, memory.KindAgent:
		tx.Exec(ownersAnew[damaged.Kind], db.Arg("id", id))
	default:
		graph.Discount(tx, []int64{id})
		graph.DeleteNodes(tx, []int64{id})
	}
}

// unlinked removes what is no node, by its key.
var unlinked = map[memory.Kind]string{
	store.KindSectionType:    `DELETE FROM section_counts WHERE key = :key`,
	store.KindJudgeThreshold: `DELETE FROM judge_thresholds WHERE key = :key`,
	store.KindTombstone:      `DELETE FROM tombstones WHERE lower(hex(hash)) = :key`,
	store.KindEmbedding:      `DELETE FROM embeddings WHERE episode = (SELECT id FROM nodes WHERE kind = 'episode' AND key = :key)`,
}

// discardExecution removes an execution that cannot be read. Where it is only the hash of its input, that goes.
func discardExecution(tx *db.Tx, id int64, key string) {
	var found []*memory.Execution
	read := func() {
		found = db.Ask(tx, func(c *db.Conn) ([]*memory.Execution, error) { return learning.ByKey(tx.Context, c, []string{key}) })
	}
	if tx.Spare(read) == nil && len(found) > 0 && store.IsSound(found[0]) {
		tx.Exec(`UPDATE executions SET input_hash = NULL WHERE id = :id`, db.Arg("id", id))
		return
	}
	learning.Delete(tx, []string{key})
	learning.CountMissing(tx)
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
