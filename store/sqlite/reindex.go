package sqlite

import (
	"context"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/passages"
)

// DueVectors counts the records whose vectors are missing.
func (t *Tenant) DueVectors(ctx context.Context) (int, error) {
	if !t.vectors {
		return 0, ctx.Err()
	}
	return answer(ctx, t.file.Read, func(c *db.Conn) (int, error) { return passages.Due(ctx, c, -1) })
}

// Reindex makes the vectors that are due.
func (t *Tenant) Reindex(ctx context.Context, tell func(store.ReindexStep)) (int, error) {
	if !t.vectors || t.file.IsNothing() {
		return 0, ctx.Err()
	}
	return passages.Make(ctx, t.file.Write, tell)
}
