package examine

import (
	"context"
	"fmt"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
	"mneme/store/sqlite/passages"
	"mneme/store/sqlite/schema"
)

// Rebuild makes anew what follows from the records of a file, in one transaction.
func Rebuild(ctx context.Context, f *file.File, tell func(store.RebuildStep)) error {
	if tell == nil {
		tell = func(store.RebuildStep) {}
	}
	return f.Write(ctx, func(tx *db.Tx) error {
		for _, step := range []struct {
			part string
			do   func(*db.Tx)
		}{
			{"passages", passages.Empty}, {"indexes", indexes}, {"links", derivedAnew}, {"profiles", learning.SumUp}, {"settings", settingsAnew},
		} {
			if err := ctx.Err(); err != nil {
				return err
			}
			tell(store.RebuildStep{Part: step.part})
			if step.do(tx); tx.Err() != nil {
				return fmt.Errorf("%s: %w", step.part, tx.Err())
			}
		}
		passages.Rebuild(tx, func(done int) { tell(store.RebuildStep{Part: "passages", Done: done}) })
		return nil
	})
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

// derivedAnew puts right what the checks find, once nothing leads to what is gone.
func derivedAnew(tx *db.Tx) {
	removeDangling(tx)
	tx.Script(views)
	for i := range checks {
		if err := tx.Run(tx.Context, checks[i].anew); err != nil {
			tx.Fail(fmt.Errorf("%s: %w", checks[i].view, err))
		}
	}
	linkAllWaiting(tx)
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

// settingsAnew fixes the length that the embeddings have, and lets a server try again the traces that failed.
func settingsAnew(tx *db.Tx) {
	length := db.Ask(tx, graph.PrevailingLength)
	tx.Exec(`DELETE FROM failing_traces`)
	if length == 0 {
		tx.Exec(`DELETE FROM settings WHERE name = :name`, db.Arg("name", schema.SettingVectorLength))
	} else {
		tx.Fail(schema.SetSetting(tx.Conn, schema.SettingVectorLength, length))
	}
}

// linkAllWaiting links what waits for records that are there.
func linkAllWaiting(tx *db.Tx) {
	var found []linking.Awaited
	tx.Each(`SELECT DISTINCT kind, key FROM temp.arrived ORDER BY 1, 2`, func(r *db.Row) {
		found = append(found, linking.Awaited{Kind: memory.Kind(r.Text()), Key: r.Text()})
	})
	for _, a := range found {
		linkWaitingFor(tx, a.Kind, a.Key)
	}
}

// linkWaitingFor links what waits for one record.
func linkWaitingFor(tx *db.Tx, kind memory.Kind, key string) {
	switch kind {
	case graph.WaitAbout:
		graph.LinkWaitingAnnotations(tx, graph.FindNode(tx, key), key)
	case linking.Execution:
		graph.LinkWaitingFor(tx, kind, key, graph.ExecutedBy(tx, key))
	case memory.KindConcept:
		graph.LinkWaitingMentions(tx, graph.NodeID(tx, kind, key), key)
	case memory.KindCanvas:
		linkWaitingFeedback(tx, graph.NodeID(tx, kind, key), key)
	default: // an episode, also where that informs another
		graph.LinkWaitingFor(tx, kind, key, graph.NodeID(tx, memory.KindEpisode, key))
	}
}

// linkWaitingFeedback puts feedback on the canvas that it named, whose episode it follows.
func linkWaitingFeedback(tx *db.Tx, canvas int64, key string) {
	var shown time.Time
	tx.One(`SELECT created_at FROM canvases WHERE id = :id`, func(r *db.Row) { shown = r.AnyTime() }, db.Arg("id", canvas))
	graph.LinkWaitingFeedback(tx, canvas, key, shown)
	if episode := graph.SourceOf(tx, graph.EdgePresented, canvas); episode != 0 {
		graph.MoveFollowers(tx, canvas, episode)
	}
}
