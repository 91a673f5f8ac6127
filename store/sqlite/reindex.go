package sqlite

import (
	"context"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/meanings"
	"mneme/store/sqlite/words"
)

// DueVectors counts the records whose vectors are missing.
func (t *Tenant) DueVectors(ctx context.Context) (due int, err error) {
	if !t.vectors {
		return 0, ctx.Err()
	}
	err = t.file.Read(ctx, func(c *db.Conn) (err error) {
		due, err = meanings.Due(ctx, c, -1)
		return err
	})
	return due, err
}

// Reindex makes the vectors that are due.
func (t *Tenant) Reindex(ctx context.Context, tell func(store.ReindexStep)) (int, error) {
	if !t.vectors || t.file.IsNothing() {
		return 0, ctx.Err()
	}
	return meanings.Make(ctx, t.file, words.TextsOf, tell)
}
