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
	err = t.file.Peek(ctx, func(c *db.Conn) (err error) {
		all, err = backlogOf(ctx, c, store.MaxBacklog)
		return err
	})
	return all, err
}

// backlogOf counts spans and records up to a bound.
func backlogOf(ctx context.Context, c *db.Conn, most int) (all store.Backlog, err error) {
	const held = `SELECT count(DISTINCT trace), min(arrived_at) FROM (SELECT trace, arrived_at FROM spans LIMIT :most)`
	if _, err := c.One(held, func(r *db.Row) { all.Traces, all.Oldest = r.Int(), r.OptionalTime() }, db.Arg("most", most)); err != nil {
		return all, err
	}
	state, err := schema.Setting(c, schema.SettingVacuum, func(*db.Row) {})
	if state != schema.SettingMissing {
		all.Compactions = 1
	}
	if err == nil && c.Vectors {
		all.Vectors, err = passages.Due(ctx, c, most)
	}
	return all, err
}
