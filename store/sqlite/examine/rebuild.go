package examine

import (
	"context"
	"fmt"

	"mneme/memory"
	"mneme/store"
	"mneme/store/invariants"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
	"mneme/store/sqlite/passages"
	"mneme/store/sqlite/schema"
)

// Rebuild makes anew what follows from the records of a file, in one transaction. endWaits links what waits for records
// that are there.
func Rebuild(ctx context.Context, f *file.File, endWaits func(*db.Tx, map[linking.PendingRef]string), say func(store.RebuildStep)) error {
	return f.Write(ctx, func(tx *db.Tx) error {
		tx.Script(views)
		return invariants.Rebuild(ctx, say, func(invariant string, tell func(int)) error {
			if invariant == "arrived" {
				endWaits(tx, arrived(tx))
			} else {
				mend(tx, invariant, tell)
			}
			return tx.Err()
		})
	})
}

// mend puts an invariant right.
func mend(tx *db.Tx, invariant string, tell func(done int)) {
	switch invariant {
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
	var remove []string
	tx.Each(find, func(r *db.Row) {
		table, column, to := r.Text(), r.Text(), r.Text()
		remove = append(remove, fmt.Sprintf(`DELETE FROM %[1]s WHERE %[3]s IS NOT NULL AND NOT EXISTS (SELECT 1 FROM %[2]s o WHERE o.id = %[1]s.%[3]s)`, table, to, column))
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
