package sqlite

import (
	"context"
	"slices"

	"mneme/store"
	"mneme/store/sqlite/file"
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
	c, _, err := file.ConnectToRead(ctx, b.dir.PathOf(id), b.dir.BusyTimeout)
	if err != nil {
		return false
	}
	defer c.Close()
	c.Vectors, c.Embeddings = !b.dir.WithoutVectors, b.dir.Embeddings
	waits, err := backlogOf(ctx, c, 1)
	return err == nil && waits != store.Backlog{}
}
