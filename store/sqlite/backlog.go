package sqlite

import (
	"context"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/meanings"
	"mneme/store/sqlite/schema"
)

// Backlog counts what waits; see store.Backlogged.
func (t *Tenant) Backlog(ctx context.Context) (all store.Backlog, err error) {
	err = t.file.Peek(ctx, func(c *db.Conn) error {
		all = store.Backlog{}
		const held = `SELECT count(DISTINCT trace), min(arrived_at) FROM (SELECT trace, arrived_at FROM spans LIMIT :most)`
		_, err := c.One(held, func(r *db.Row) { all.Traces, all.Oldest = r.Int(), r.OptionalTime() }, db.Arg("most", store.MostBacklog))
		if err != nil {
			return err
		}
		if state, err := schema.Setting(c, schema.SettingVacuum, func(*db.Row) {}); err != nil {
			return err
		} else if state != schema.SettingMissing {
			all.Compactions = 1
		}
		all.Vectors, err = dueVectors(ctx, c)
		return err
	})
	return all, err
}

// dueVectors counts the records without vectors, unless it is known that there are none.
func dueVectors(ctx context.Context, c *db.Conn) (int, error) {
	if complete, err := meanings.Complete(c); err != nil || complete || !c.Vectors {
		return 0, err
	}
	return meanings.Due(ctx, c, store.MostBacklog)
}
