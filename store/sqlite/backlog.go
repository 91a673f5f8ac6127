package sqlite

import (
	"context"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/passages"
	"mneme/store/sqlite/schema"
)

// Backlog counts what waits; see store.Backlogged.
func (t *Tenant) Backlog(ctx context.Context) (all store.Backlog, err error) {
	err = t.file.Peek(ctx, func(c *db.Conn) error {
		all = store.Backlog{}
		const held = `SELECT count(DISTINCT trace), min(arrived_at) FROM (SELECT trace, arrived_at FROM spans LIMIT :most)`
		_, err := c.One(held, func(r *db.Row) { all.Traces, all.Oldest = r.Int(), r.OptionalTime() }, db.Arg("most", store.MaxBacklog))
		if err != nil {
			return err
		}
		if state, err := schema.Setting(c, schema.SettingVacuum, func(*db.Row) {}); err != nil {
			return err
		} else if state != schema.SettingMissing {
			all.Compactions = 1
		}
		if c.Vectors {
			all.Vectors, err = passages.Due(ctx, c, store.MaxBacklog)
		}
		return err
	})
	return all, err
}
