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
	if err != nil {
		return 0, err
	}
	return forgetting.Discard(ctx, &eraser{Tenant: t}, invariants.Chosen(found, ids))
}

// Rebuild makes anew what follows from the records; see store.Rebuilder.
func (t *Tenant) Rebuild(ctx context.Context, tell func(store.RebuildStep)) error {
	if t.file.IsNothing() {
		return ctx.Err()
	}
	return examine.Rebuild(ctx, t.file, endWaits, tell)
}

// CountMissing counts the episodes that no profile counts.
func (t *Tenant) CountMissing(ctx context.Context) error {
	return t.file.Write(ctx, learning.CountMissing)
}

// Anew writes anew or takes away what cannot be read; see forgetting.Discarder.
func (t *Tenant) Anew(ctx context.Context, damaged *store.Damaged) (bool, error) {
	statement, ok := anew[damaged.Kind]
	if !ok {
		return false, nil
	}
	return true, t.file.Erase(ctx, func(tx *db.Tx) error {
		if damaged.Kind == store.KindSetting {
			return schema.MakeInputKey(tx.Conn)
		}
		parts := append(memory.SplitKey(damaged.Key), "", "")
		tx.Exec(statement, db.Arg("key", damaged.Key), db.Arg("first", parts[0]), db.Arg("second", parts[1]), db.Arg("third", parts[2]),
			db.Arg("id", graph.NodeID(tx, damaged.Kind, damaged.Key)))
		return nil
	})
}

// anew writes anew what cannot be read of records to which others belong that can be: a name for people is the key, a
// time that of the first or last of the others. What is no record it takes away, by its key or the parts of that.
var anew = map[memory.Kind]string{
	store.KindSetting: ``, // which is no statement
	store.KindSpan:    `DELETE FROM spans WHERE trace = :first AND span = :second`,
	store.KindRelation: `DELETE FROM edges WHERE type = CAST(:first AS TEXT) AND source_ref = 'concept:' || :second
		AND target_ref = 'concept:' || :third`,
	store.KindSectionType:    `DELETE FROM section_counts WHERE key = :key`,
	store.KindJudgeThreshold: `DELETE FROM judge_thresholds WHERE key = :key`,
	store.KindTombstone:      `DELETE FROM tombstones WHERE lower(hex(hash)) = :key`,
	store.KindEmbedding:      `DELETE FROM embeddings WHERE episode = (SELECT id FROM nodes WHERE kind = 'episode' AND key = :key)`,
	memory.KindExecution:     `UPDATE executions SET input_hash = NULL WHERE id = :id`,
	memory.KindAgent:         `INSERT INTO agents (id, name) SELECT id, key FROM nodes WHERE id = :id ON CONFLICT (id) DO UPDATE SET name = excluded.name`,
	memory.KindMemoir: `INSERT INTO memoirs (id, name, created_at, input_hash)
		SELECT id, ref, coalesce((SELECT min(created_at) FROM concepts WHERE memoir = :id AND created_at >= 0), 0), x'' FROM nodes WHERE id = :id
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = NULL, created_at = excluded.created_at`,
	memory.KindRun: `INSERT INTO runs (id, key, started_at)
		SELECT id, key, coalesce((SELECT min(at) FROM verdicts WHERE run = :id AND at >= 0), 0) FROM nodes WHERE id = :id
		ON CONFLICT (id) DO UPDATE SET started_at = excluded.started_at,
		completed_at = iif(completed_at IS NULL, NULL, coalesce((SELECT max(at) FROM verdicts WHERE run = :id AND at < 253402300800000), 0))`,
}
