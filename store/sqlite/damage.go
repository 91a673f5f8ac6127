package sqlite

import (
	"context"
	"errors"

	"mneme/memory"
	"mneme/store"
	"mneme/store/forgetting"
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
	var left []*store.Damaged
	err = t.file.Erase(ctx, func(tx *db.Tx) error {
		for _, damaged := range found {
			tx.Fail(ctx.Err())
			if !discard(tx, damaged) {
				left = append(left, damaged)
			}
		}
		return nil
	})
	for i := 0; i < len(left) && err == nil; i++ {
		err = forgetting.Discard(ctx, &eraser{Tenant: t}, left[i].Kind, left[i].Key)
	}
	if err != nil || len(left) == 0 {
		return len(found), err
	}
	return len(found), t.file.Write(ctx, func(tx *db.Tx) error {
		learning.CountMissing(tx)
		return nil
	})
}

// Rebuild makes anew what follows from the records; see store.Rebuilder.
func (t *Tenant) Rebuild(ctx context.Context, tell func(store.RebuildStep)) error {
	if t.file.IsNothing() {
		return ctx.Err()
	}
	return examine.Rebuild(ctx, t.file, endWaits, tell)
}

// discard removes what cannot be read where that is no record, or where others belong to it, which stay. It says whether it did.
func discard(tx *db.Tx, damaged *store.Damaged) bool {
	parts := memory.SplitKey(damaged.Key)
	id := graph.NodeID(tx, damaged.Kind, damaged.Key)
	switch damaged.Kind {
	case store.KindSetting:
		tx.Fail(schema.MakeInputKey(tx.Conn))
	case store.KindSpan:
		tx.Exec(`DELETE FROM spans WHERE trace = :trace AND span = :span`, db.Arg("trace", parts[0]), db.Arg("span", parts[1]))
	case store.KindRelation:
		const remove = `DELETE FROM edges WHERE type = ` + graph.GivenType + ` AND source_ref = :source AND target_ref = :target`
		tx.Exec(remove, db.Arg("type", parts[0]), db.Arg("source", memory.NodeID(memory.KindConcept, parts[1])),
			db.Arg("target", memory.NodeID(memory.KindConcept, parts[2])))
	case memory.KindLearningProfile:
		if id != 0 {
			learning.SumUp(tx, damaged.Key, true)
			learning.CountMissing(tx)
		}
	case memory.KindExecution:
		return discardHash(tx, id, damaged.Key)
	case memory.KindRun, memory.KindMemoir, memory.KindAgent:
		tx.Exec(ownersAnew[damaged.Kind], db.Arg("id", id))
	default:
		remove := unlinked[damaged.Kind]
		if remove == "" {
			return false
		}
		tx.Exec(remove, db.Arg("key", damaged.Key))
	}
	return true
}

// unlinked removes what is no node, by its key.
var unlinked = map[memory.Kind]string{
	store.KindSectionType:    `DELETE FROM section_counts WHERE key = :key`,
	store.KindJudgeThreshold: `DELETE FROM judge_thresholds WHERE key = :key`,
	store.KindTombstone:      `DELETE FROM tombstones WHERE lower(hex(hash)) = :key`,
	store.KindEmbedding:      `DELETE FROM embeddings WHERE episode = (SELECT id FROM nodes WHERE kind = 'episode' AND key = :key)`,
}

// discardHash removes the hash of the input of an execution where nothing else of it cannot be read.
func discardHash(tx *db.Tx, id int64, key string) bool {
	var found []*memory.Execution
	read := func() {
		found = db.Ask(tx, func(c *db.Conn) ([]*memory.Execution, error) { return learning.ByKey(tx.Context, c, []string{key}) })
	}
	if tx.Spare(read) != nil || len(found) == 0 || !store.IsSound(found[0]) {
		return false
	}
	tx.Exec(`UPDATE executions SET input_hash = NULL WHERE id = :id`, db.Arg("id", id))
	return true
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
