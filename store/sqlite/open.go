package sqlite

import (
	"context"
	"fmt"
	"slices"

	"mneme/store"
	"mneme/store/sqlite/examine"
	"mneme/store/sqlite/file"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/keyring"
	"mneme/store/sqlite/search"
)

// Options say where the data is and how to behave towards other processes.
type Options = file.Options

// Backend is a directory of SQLite files, one for each tenant, and one for the keys of all.
type Backend struct {
	*keyring.Ring
	dir *file.Directory
}

var _ store.Backend = (*Backend)(nil)

// Open makes the directory ready and checks the files in it. It returns store.ErrSchemaVersion where
// one was made by another version, and store.ErrUnavailable where the directory cannot be used. On a disk
// that is full or read-only what is there can be read; Check and every write say why it cannot be written.
func Open(ctx context.Context, options Options) (*Backend, error) {
	dir, err := file.Open(ctx, options)
	if err != nil {
		return nil, err
	}
	return &Backend{Ring: keyring.New(dir.Dir, dir.BusyTimeout), dir: dir}, nil
}

// Tenant binds a tenant. A tenant that is there already is opened.
func (b *Backend) Tenant(ctx context.Context, id string) (store.Store, error) {
	if !store.TenantID.MatchString(id) {
		return nil, fmt.Errorf("%w: a tenant's id is 1–64 characters of a–z, 0–9, '-' and '_', starting with a letter or digit", store.ErrInvalid)
	}
	bound, err := b.dir.Bind(ctx, id)
	if err != nil {
		return nil, err
	}
	return &Tenant{search.Finder{Snapshot: bound.Snapshot}, bound, !b.dir.WithoutVectors}, nil
}

// Tenants are the ids of those that have a file; see store.Backend.
func (b *Backend) Tenants(context.Context) (ids []string, err error) {
	ids, err = file.Tenants(b.dir.Dir)
	return slices.DeleteFunc(ids, func(id string) bool {
		_, unusable := file.Regular(b.dir.PathOf(id))
		return unusable != nil || file.IsNothing(b.dir.PathOf(id))
	}), err
}

// Has says whether a tenant has its file; see store.Backend.
func (b *Backend) Has(ctx context.Context, id string) (bool, error) {
	known, err := b.Tenants(ctx)
	return slices.Contains(known, id), err
}

// Pool says how much is read now; see store.Backend.
func (b *Backend) Pool() store.Pool { return b.dir.Pool() }

// Check writes a byte to the directory and asks every opened tenant.
func (b *Backend) Check(ctx context.Context) error { return b.dir.Check(ctx, graph.Ping) }

// Describe says "sqlite in DIR".
func (b *Backend) Describe() string { return "sqlite in " + b.dir.Dir }

// Close finishes the writes that were accepted, waits for reads that are under way, and closes the files.
func (b *Backend) Close(ctx context.Context) error { return b.dir.Close(ctx) }

// KeysMark is the file of a directory for which keys were made.
const KeysMark = keyring.Mark

// Permissions says whether others than their owner may use the files of a data directory; see store.Examiner.
func Permissions(dir string) store.Finding { return examine.Permissions(dir) }

// KeepsIn says whether a path is, or would be, that of a file of a data directory, by whatever name.
func KeepsIn(dir, path string) bool { return file.KeepsIn(dir, path) }

// ExamineTenant looks into a tenant's file; see store.Examiner.
func (b *Backend) ExamineTenant(ctx context.Context, id string) ([]store.Finding, error) {
	return examine.Tenant(ctx, b.dir, unreadableIn, id)
}

// Examine looks at the directory and into every tenant's file; see store.Examiner.
func (b *Backend) Examine(ctx context.Context) ([]store.Finding, error) {
	findings, err := examine.Directory(ctx, b.dir, unreadableIn)
	if err != nil {
		return nil, err
	}
	return append(findings, store.ExamineKeys(ctx, b)), ctx.Err()
}
