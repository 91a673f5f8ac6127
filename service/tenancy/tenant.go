// Package tenancy is what the rooms of the service share: the handle on one tenant's memory, the settings of the
// deployment, batches, imports, models that write, and what is done in the background.
package tenancy

import (
	"context"
	"slices"
	"sync/atomic"

	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/userview"
	"mneme/store"
)

// Tenant is what the groups of a tenant share.
type Tenant struct {
	*memoryOf
	Store store.Store
	// user is to whom the key of the caller is bound; empty for nobody.
	user string
}

// memoryOf is what all callers of a tenant share.
type memoryOf struct {
	*Settings
	key        atomic.Pointer[[]byte] // hashes the tenant's inputs; nil until somebody records
	Accesses   *accesses
	Background *sweeper
	late       unfinished
}

// New is a tenant of a deployment.
func New(by *Settings, bound store.Store) *Tenant {
	return &Tenant{memoryOf: &memoryOf{Settings: by, Accesses: newAccesses(bound, by.Clock, by.Log)}, Store: bound}
}

// OfUser is the tenant as the holder of a key sees it that is bound to a user.
func (t *Tenant) OfUser(user string) *Tenant {
	return &Tenant{memoryOf: t.memoryOf, Store: userview.New(t.Store, user), user: user}
}

// Work begins what is done in the background: finish makes episodes of traces, and models complete what lacks a text.
func (t *Tenant) Work(finish func(context.Context) (more bool, err error)) {
	t.Background = newSweeper(finish, t.Waits.Quiet/2, t.Log)
	if t.Writer != nil {
		t.Background.Beside(t.resume)
	}
}

// InputKey is that of the tenant, which the first that records something makes: who only reads makes no tenant. Its
// error is that of what cannot be done without it. One that was lost may have been mended since.
func (t *Tenant) InputKey(ctx context.Context) ([]byte, error) {
	if t.key.Load() == nil {
		secret, err := t.Store.InputKey(ctx)
		if err != nil {
			return nil, faults.Of("the tenant", err)
		}
		t.key.CompareAndSwap(nil, &secret) // one that came with an import meanwhile stays
	}
	return *t.key.Load(), nil
}

// HasKey says that the input key is known here, since something was recorded.
func (t *Tenant) HasKey() bool { return t.key.Load() != nil }

// Rests says that nothing of a tenant is done in this process, now or later.
func (t *Tenant) Rests() bool { return t.Background.rests() && t.Accesses.rest() }

// ReadByID reads the record of a kind that an id names; nil where there is none.
func ReadByID[T any](
	ctx context.Context, t *Tenant, kind memory.Kind, id string, read func(context.Context, []string) ([]*T, error),
) (*T, error) {
	b := t.Question(ctx)
	key := b.Key(kind, "id", id)
	if b.Err() != nil {
		return nil, b.Err()
	}
	records, err := read(ctx, []string{key})
	if err != nil {
		return nil, faults.Of("the "+string(kind), err)
	}
	return records[0], nil
}

// Boundary is that of what is kept; see boundary.New.
func (t *Tenant) Boundary(ctx context.Context) *boundary.Boundary {
	return boundary.New(ctx, &t.Rules, func() ([]byte, error) { return t.InputKey(ctx) })
}

// MayRead says whether the caller may read records of a kind by id.
func (t *Tenant) MayRead(kind memory.Kind) bool {
	return t.user == "" || slices.Contains(userview.KindsOfUser, kind)
}

// Rekey makes a tenant use the input key that came with an export.
func (t *Tenant) Rekey(items []store.Item) {
	for _, item := range items {
		if settings, ok := item.(*store.TenantItem); ok {
			t.key.Store(&settings.InputKey)
		}
	}
}
