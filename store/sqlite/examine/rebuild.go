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
	return f.Write(ctx, func(c *db.Conn) error {
		for _, step := range []struct {
			part string
			do   func(context.Context, *db.Conn) error
		}{
			{"passages", passages.Empty}, {"indexes", indexes}, {"links", derivedAnew}, {"profiles", learning.SumUp}, {"settings", settingsAnew},
		} {
			if err := ctx.Err(); err != nil {
				return err
			}
			tell(store.RebuildStep{Part: step.part})
			if err := step.do(ctx, c); err != nil {
				return fmt.Errorf("%s: %w", step.part, err)
			}
		}
		return passages.Rebuild(ctx, c, func(done int) { tell(store.RebuildStep{Part: "passages", Done: done}) })
	})
}

// indexes makes those that are missing, and fills all.
func indexes(_ context.Context, c *db.Conn) error {
	if err := graph.Ping(c); err != nil { // which makes the connection notice what is gone
		return err
	}
	wanted, err := schema.LatestObjects()
	if err != nil {
		return err
	}
	there, err := schema.ObjectsOf(c)
	if err != nil {
		return err
	}
	for _, name := range schema.MissingOf(wanted, there) {
		if o := wanted[name]; o.Kind == "index" && o.SQL != "" {
			if err := c.Script(o.SQL); err != nil {
				return err
			}
		}
	}
	return c.Script(`REINDEX`)
}

// derivedAnew puts right what the checks find, once nothing leads to what is gone.
func derivedAnew(ctx context.Context, c *db.Conn) error {
	if err := removeDangling(c); err != nil {
		return err
	}
	if err := c.Script(views); err != nil {
		return err
	}
	for i := range checks {
		if err := c.Run(ctx, checks[i].anew); err != nil {
			return fmt.Errorf("%s: %w", checks[i].view, err)
		}
	}
	return linkAllWaiting(c)
}

// removeDangling removes the links and the parts of records that lead to nothing, by the foreign keys that say so. The
// rest of a record whose node is gone goes too: its kind and key were in the node, so nothing can name it any more.
func removeDangling(c *db.Conn) error {
	const find = `SELECT m.name, f."from", f."table" FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f
		WHERE m.type = 'table' AND f.on_delete = 'CASCADE' ORDER BY m.name NOT IN ('edges', 'waiting'), 1, 2`
	var remove []string
	err := c.Query(find, func(r *db.Row) error {
		table, column, to := r.Text(), r.Text(), r.Text()
		remove = append(remove, fmt.Sprintf(`DELETE FROM %[1]s WHERE %[3]s IS NOT NULL AND NOT EXISTS (SELECT 1 FROM %[2]s o WHERE o.id = %[1]s.%[3]s)`, table, to, column))
		return nil
	})
	if err != nil {
		return err
	}
	return db.Scripts(remove...)(c)
}

// settingsAnew fixes the length that the embeddings have, and lets a server try again the traces that failed.
func settingsAnew(_ context.Context, c *db.Conn) error {
	length, err := graph.PrevailingLength(c)
	if err != nil {
		return err
	}
	if err := c.Exec(`DELETE FROM failing_traces`); err != nil {
		return err
	}
	if length == 0 {
		return c.Exec(`DELETE FROM settings WHERE name = :name`, db.Arg("name", schema.SettingVectorLength))
	}
	return schema.SetSetting(c, schema.SettingVectorLength, length)
}

// linkAllWaiting links what waits for records that are there.
func linkAllWaiting(c *db.Conn) error {
	var found []linking.Awaited
	err := c.Query(`SELECT DISTINCT kind, key FROM temp.arrived ORDER BY 1, 2`, func(r *db.Row) error {
		found = append(found, linking.Awaited{Kind: memory.Kind(r.Text()), Key: r.Text()})
		return nil
	})
	if err != nil {
		return err
	}
	for _, a := range found {
		if err := linkWaitingFor(c, a.Kind, a.Key); err != nil {
			return err
		}
	}
	return nil
}

// linkWaitingFor links what waits for one record.
func linkWaitingFor(c *db.Conn, kind memory.Kind, key string) error {
	switch kind {
	case graph.WaitAbout:
		id, err := graph.FindNode(c, key)
		if err != nil {
			return err
		}
		return graph.LinkWaitingAnnotations(c, id, key)
	case linking.Execution:
		id, err := graph.ExecutedBy(c, key)
		if err != nil {
			return err
		}
		return graph.LinkWaitingFor(c, kind, key, id)
	}
	of := kind
	if kind == linking.Informed {
		of = memory.KindEpisode
	}
	id, err := graph.NodeID(c, of, key)
	if err != nil {
		return err
	}
	switch kind {
	case memory.KindConcept:
		return graph.LinkWaitingMentions(c, id, key)
	case memory.KindCanvas:
		return linkWaitingFeedback(c, id, key)
	default:
		return graph.LinkWaitingFor(c, kind, key, id)
	}
}

// linkWaitingFeedback puts feedback on the canvas that it named, whose episode it follows.
func linkWaitingFeedback(c *db.Conn, canvas int64, key string) error {
	var shown time.Time
	if _, err := c.One(`SELECT created_at FROM canvases WHERE id = :id`, func(r *db.Row) { shown = r.AnyTime() }, db.Arg("id", canvas)); err != nil {
		return err
	}
	if _, err := graph.LinkWaitingFeedback(c, canvas, key, shown); err != nil {
		return err
	}
	episode, err := graph.SourceOf(c, graph.EdgePresented, canvas)
	if err != nil || episode == 0 {
		return err
	}
	return graph.MoveFollowers(c, canvas, episode)
}
