package sqlite

import (
	"context"
	"errors"
	"fmt"

	"mneme/memory"
	"mneme/store"
	"mneme/store/forgetting"
	"mneme/store/invariants"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
	"mneme/store/sqlite/passages"
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
			_, err := schema.MakeInputKey(tx.Conn)
			return err
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

// Rebuild makes anew what follows from the records, in one transaction; see store.Rebuilder.
func (t *Tenant) Rebuild(ctx context.Context, tell func(store.RebuildStep)) error {
	if t.file.IsNothing() {
		return ctx.Err()
	}
	return t.file.Write(ctx, func(tx *db.Tx) error {
		tx.Script(views)
		return invariants.Rebuild(ctx, tell, func(invariant string, tell func(int)) error {
			mend(tx, invariant, tell)
			return tx.Err()
		})
	})
}

// mend puts an invariant right.
func mend(tx *db.Tx, invariant string, tell func(done int)) {
	switch invariant {
	case "arrived": // what waits for records that are there
		tx.Fail(linking.EndWaits(linkerOf(tx), arrived(tx)))
	case "indexes":
		passages.Empty(tx)
		indexes(tx)
	case "dangling":
		removeDangling(tx)
	case "missummed":
		learning.Rebuild(tx)
	case "length":
		if length := db.Ask(tx, graph.PrevailingLength); length > 0 {
			tx.Fail(schema.SetSetting(tx.Conn, schema.SettingVectorLength, length))
		} else {
			tx.Exec(`DELETE FROM settings WHERE name = :name`, db.Arg("name", schema.SettingVectorLength))
		}
	case "failing": // a server tries them again
		tx.Exec(`DELETE FROM failing_traces`)
	case "unsaid":
		passages.Rebuild(tx, tell)
	default:
		tx.Fail(tx.Run(tx.Context, mends[invariant]))
	}
}

// indexes makes those that are missing, and fills all.
func indexes(tx *db.Tx) {
	tx.Fail(graph.Ping(tx.Conn)) // which makes the connection notice what is gone
	wanted, err := schema.LatestObjects()
	tx.Fail(err)
	for _, name := range schema.MissingOf(wanted, db.Ask(tx, schema.ObjectsOf)) {
		if o := wanted[name]; o.Kind == "index" && o.SQL != "" {
			tx.Script(o.SQL)
		}
	}
	tx.Script(`REINDEX`)
}

// removeDangling removes the links and the parts of records that lead to nothing, by the foreign keys that say so. The
// rest of a record whose node is gone goes too: its kind and key were in the node, so nothing can name it any more.
func removeDangling(tx *db.Tx) {
	const find = `SELECT m.name, f."from", f."table" FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f
		WHERE m.type = 'table' AND f.on_delete = 'CASCADE' ORDER BY m.name NOT IN ('edges', 'waiting'), 1, 2`
	remove := db.Rows(tx, find, func(r *db.Row) string {
		table, column, to := r.Text(), r.Text(), r.Text()
		return fmt.Sprintf(`DELETE FROM %[1]s WHERE %[3]s IS NOT NULL AND NOT EXISTS (SELECT 1 FROM %[2]s o WHERE o.id = %[1]s.%[3]s)`, table, to, column)
	})
	tx.Script(remove...)
}

// arrived are the records that others wait for and that are there, under the names that they are awaited by.
func arrived(tx *db.Tx) map[linking.PendingRef]string {
	found := map[linking.PendingRef]string{}
	tx.Each(`SELECT DISTINCT kind, key FROM temp.arrived ORDER BY 1, 2`, func(r *db.Row) {
		a := linking.PendingRef{Kind: memory.Kind(r.Text()), Key: r.Text()}
		record := a.Key
		if a.Kind == linking.Execution {
			record, _ = graph.ExecutedBy(tx, a.Key)
		}
		found[a] = record
	})
	return found
}
