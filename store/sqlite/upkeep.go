package sqlite

import (
	"context"
	"slices"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
	"mneme/store/sqlite/passages"
	"mneme/store/sqlite/schema"
)

// Compact vacuums the tenant's file, whether or not that is due.
func (t *Tenant) Compact(ctx context.Context, tell func(store.CompactStep)) (store.Compacted, error) {
	return t.file.Compact(ctx, tell)
}

// Due lists the tenants whose files hold spans, are to be vacuumed, which the server does that binds them when nobody
// writes, or may have records without vectors; see store.Backend.
func (b *Backend) Due(ctx context.Context) ([]string, error) {
	ids, err := b.Tenants(ctx)
	return slices.DeleteFunc(ids, func(id string) bool { return !b.isDue(ctx, id) }), err
}

// isDue asks a file that nobody need have opened. What cannot be read is told to who uses it.
func (b *Backend) isDue(ctx context.Context, id string) bool {
	c, err := file.ConnectToRead(ctx, b.dir.PathOf(id), b.dir.BusyTimeout)
	if err != nil {
		return false
	}
	defer c.Close()
	c.Vectors, c.Embeddings = !b.dir.WithoutVectors, b.dir.Embeddings
	waits, _ := backlogOf(ctx, c, 1) // what can be read
	return waits != store.Backlog{}
}

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

// Reindex makes the vectors that are due.
func (t *Tenant) Reindex(ctx context.Context, endpoint *store.Embedder, tell func(store.ReindexStep)) (int, error) {
	if !t.vectors || t.file.IsNothing() {
		return 0, ctx.Err()
	}
	return passages.Make(ctx, t.file.Read, t.file.Write, endpoint, tell)
}
