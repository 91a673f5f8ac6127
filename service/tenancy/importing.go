package tenancy

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

type importKey struct{}

// Import is an import, and how many records it has made so far that were not there.
type Import struct {
	force   bool
	created int
}

// Importing marks the calls with the context as those of an import: unlike a client's own new records, what was deleted
// for good does not come back by them (see WasForgotten). With force it does, and is no longer forgotten.
func Importing(ctx context.Context, force bool) context.Context {
	return context.WithValue(ctx, importKey{}, &Import{force: force})
}

// ImportOf is the import that a context belongs to, if it does to one.
func ImportOf(ctx context.Context) (of *Import, ok bool) {
	of, ok = ctx.Value(importKey{}).(*Import)
	return of, ok
}

// ImportCreated counts the records that were not there before the calls with the context of an import, which are
// made one after the other.
func ImportCreated(ctx context.Context) int {
	if of, ok := ImportOf(ctx); ok {
		return of.created
	}
	return 0
}

// Keep writes new records of a client, and those of an import where no tombstone keeps them out.
func Keep[T store.NewRecord, I interface {
	*T
	store.Item
}](ctx context.Context, t *Tenant, records []T) ([]store.Recorded, error) {
	if _, importing := ImportOf(ctx); !importing {
		return store.Record(ctx, t.Store, records)
	}
	recorded, err := RestoreRecords[T, I](ctx, t, records)
	for i := range recorded {
		_, recorded[i].Key, _ = memory.SplitID(store.Leaves(I(&records[i])))
	}
	return recorded, err
}

// RestoreRecords is restore for records of one kind.
func RestoreRecords[T any, I interface {
	*T
	store.Item
}](ctx context.Context, t *Tenant, records []T) ([]store.Recorded, error) {
	items := make([]store.Item, len(records))
	for i := range records {
		items[i] = I(&records[i])
	}
	return t.restore(ctx, items)
}

// restore writes items where no tombstone keeps them out, or an import forces them, a batch in one transaction, and
// counts them for an import.
func (t *Tenant) restore(ctx context.Context, items []store.Item) ([]store.Recorded, error) {
	of, importing := ImportOf(ctx)
	recorded, err := t.Store.Restore(ctx, items, importing && of.force)
	for _, r := range recorded {
		if importing && r.Err == nil && r.Created {
			of.created++
		}
	}
	return recorded, err
}

// RestoreOne is restore for an item that is left out where one of some ids is forgotten.
func (t *Tenant) RestoreOne(ctx context.Context, item store.Item, unless []string) error {
	return ItemOf(t.restore(ctx, []store.Item{&store.Guarded{Item: item, Unless: unless}}))
}
