package sqlite

import (
	"context"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
	"mneme/store/sqlite/passages"
	"mneme/store/sqlite/schema"
	"mneme/store/sqlite/search"
)

// Tenant is one tenant's memory in a file of its own, which comes into being with the first write.
type Tenant struct {
	search.Finder
	file *file.File
	// vectors says whether they are made of what records say.
	vectors bool
}

var (
	_ store.Store     = (*Tenant)(nil)
	_ store.Learning  = (*Tenant)(nil)
	_ store.Compacter = (*Tenant)(nil)
)

// writeTogether is File.Write for many records.
func (t *Tenant) writeTogether(ctx context.Context, do func(*db.Tx) error) error {
	return t.file.Write(ctx, func(tx *db.Tx) error {
		return tx.Together(do, learning.CountPending, passages.Write)
	})
}

// InputKey makes the key where there is none and nothing was hashed with one, and answers what is there.
func (t *Tenant) InputKey(ctx context.Context) (key []byte, err error) {
	key, err = answer(ctx, t.file.Read, func(c *db.Conn) ([]byte, error) {
		if key, err := schema.InputKey(c); err != nil || key != nil {
			return key, err
		}
		return nil, schema.LostInputKey(c)
	})
	if err != nil || key != nil {
		return key, err
	}
	return answer(ctx, t.file.Write, func(tx *db.Tx) ([]byte, error) { return schema.EnsureInputKey(tx.Conn) })
}

// VectorLength is what the first vector fixed.
func (t *Tenant) VectorLength(ctx context.Context) (int, error) {
	return answer(ctx, t.file.Read, graph.VectorLength)
}
