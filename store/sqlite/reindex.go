package sqlite

import (
	"context"

	"mneme/store"
)

// DueVectors is 0: no vectors are made of what records say.
func (*Tenant) DueVectors(ctx context.Context) (int, error) { return 0, ctx.Err() }

// Reindex has nothing to do.
func (*Tenant) Reindex(ctx context.Context, _ func(store.ReindexStep)) (int, error) {
	return 0, ctx.Err()
}
