package sqlite

import (
	"context"

	"mneme/store"
	"mneme/store/sqlite/passages"
)

// Reindex makes the vectors that are due.
func (t *Tenant) Reindex(ctx context.Context, endpoint *store.Embedder, tell func(store.ReindexStep)) (int, error) {
	if !t.vectors || t.file.IsNothing() {
		return 0, ctx.Err()
	}
	return passages.Make(ctx, t.file.Read, t.file.Write, endpoint, tell)
}
