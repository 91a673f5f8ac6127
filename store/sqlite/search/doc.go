// Package search finds the passages of a tenant, and what is asked of the records that they are from.
package search

import (
	"context"

	"mneme/store"
	"mneme/store/sqlite/db"
)

// Finder finds the passages of a tenant, each time in one state of the file that Snapshot reads.
type Finder struct {
	Snapshot func(context.Context, func(*db.Conn) error) error
}

var _ store.Passages = Finder{}

// read is for what has bounds of its own.
func (f Finder) read(ctx context.Context, do func(context.Context, *db.Conn) error) error {
	ctx = store.Unmetered(ctx)
	return f.Snapshot(ctx, func(c *db.Conn) error { return do(ctx, c) })
}
