// Package sqlite is the embedded store: one SQLite file per tenant, nothing to install.
//
// Every record is a row of nodes (kind and key) and every link a row of edges, whatever the kinds, so that a walk
// through the graph is one query; what a record holds is in a table of its own kind. Words are found through a
// full-text index that is fed with the stems of package lexical, vectors through vec_distance_cosine.
//
// Each tenant has one writer, which commits what waits together, and a few readers that see snapshots
// (write-ahead log). Several processes may work on one directory: SQLite's locks keep their writers
// apart, and each waits for the other. While a tenant is open nothing else in the process may open its
// files, since closing them again would end those locks.
package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/keyring"
	"mneme/store/sqlite/learning"
	"mneme/store/sqlite/passages"
	"mneme/store/sqlite/schema"
	"mneme/store/sqlite/search"
)

// Options say where the data is and how to behave towards other processes.
type Options = file.Options

// Backend is a directory of SQLite files, one for each tenant, and one for the keys of all.
type Backend struct {
	*keyring.Ring
	*file.Directory
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
	return &Backend{keyring.New(dir.Dir, dir.BusyTimeout), dir}, nil
}

// Tenant binds a tenant. A tenant that is there already is opened.
func (b *Backend) Tenant(ctx context.Context, id string) (store.Store, error) {
	if !store.TenantID.MatchString(id) {
		return nil, fmt.Errorf("%w: a tenant's id is 1–64 characters of a–z, 0–9, '-' and '_', starting with a letter or digit", store.ErrInvalid)
	}
	bound, err := b.Bind(ctx, id)
	if err != nil {
		return nil, err
	}
	return &Tenant{search.Finder{Snapshot: bound.Snapshot}, bound}, nil
}

// Tenants are the ids of those that have a file; see store.Backend.
func (b *Backend) Tenants(context.Context) (ids []string, err error) {
	ids, err = file.Tenants(b.Dir)
	return slices.DeleteFunc(ids, func(id string) bool {
		_, unusable := file.Regular(b.PathOf(id))
		return unusable != nil || file.IsNothing(b.PathOf(id))
	}), err
}

// Has says whether a tenant has its file; see store.Backend.
func (b *Backend) Has(ctx context.Context, id string) (bool, error) {
	known, err := b.Tenants(ctx)
	return slices.Contains(known, id), err
}

// Check writes a byte to the directory and asks every opened tenant.
func (b *Backend) Check(ctx context.Context) error { return b.Directory.Check(ctx, graph.Ping) }

// Describe says "sqlite in DIR".
func (b *Backend) Describe() string { return "sqlite in " + b.Dir }

// KeysMark is the file of a directory for which keys were made.
const KeysMark = keyring.Mark

// KeepsIn says whether a path is, or would be, that of a file of a data directory, by whatever name.
func KeepsIn(dir, path string) bool { return file.KeepsIn(dir, path) }

// Tenant is one tenant's memory in a file of its own, which comes into being with the first write.
type Tenant struct {
	search.Finder
	file *file.File
}

var (
	_ store.Store     = (*Tenant)(nil)
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

// Compact vacuums the tenant's file, whether or not that is due.
func (t *Tenant) Compact(ctx context.Context) (store.Compacted, error) {
	return t.file.Compact(ctx)
}

// Due lists the tenants whose files hold spans, are to be vacuumed, which the server does that binds them when nobody
// writes, or may have records without vectors; see store.Backend.
func (b *Backend) Due(ctx context.Context) ([]string, error) {
	ids, err := b.Tenants(ctx)
	return slices.DeleteFunc(ids, func(id string) bool { return !b.isDue(ctx, id) }), err
}

// isDue asks a file that nobody need have opened. What cannot be read is told to who uses it.
func (b *Backend) isDue(ctx context.Context, id string) bool {
	c, err := file.ConnectToRead(ctx, b.PathOf(id), b.BusyTimeout)
	if err != nil {
		return false
	}
	defer c.Close()
	c.Vectors, c.Embeddings = !b.WithoutVectors, b.Embeddings
	waits, _ := backlogOf(ctx, c, 1) // what can be read
	return waits != store.Backlog{}
}

// Backlog counts what waits; see store.Store.
func (t *Tenant) Backlog(ctx context.Context) (all store.Backlog, err error) {
	err = t.file.Peek(ctx, func(c *db.Conn) (err error) {
		all, err = backlogOf(ctx, c, store.MaxBacklog)
		return err
	})
	return all, err
}

// backlogOf counts spans and records up to a bound.
func backlogOf(ctx context.Context, c *db.Conn, most int) (all store.Backlog, err error) {
	const held = `SELECT count(DISTINCT trace), min(arrived_at) FROM (SELECT trace, arrived_at FROM spans LIMIT :most)`
	if _, err := c.One(held, func(r *db.Row) { all.Traces, all.Oldest = r.Int(), r.OptionalTime() }, db.Arg("most", most)); err != nil {
		return all, err
	}
	_, due, err := schema.Setting(c, schema.SettingVacuum)
	if due {
		all.Compactions = 1
	}
	if err == nil && c.Vectors {
		all.Vectors, err = passages.Due(ctx, c, most)
	}
	return all, err
}

// Reindex makes the vectors that are due.
func (t *Tenant) Reindex(ctx context.Context, endpoint *store.Embedder, tell func(store.ReindexStep)) (int, error) {
	return passages.Make(ctx, t.file.Read, t.file.Write, endpoint, tell)
}

// Backup copies the tenant's file while it is in use. The copy is the state at the start, however long it takes and
// whatever is written meanwhile.
func (t *Tenant) Backup(ctx context.Context, path string) (err error) {
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		return &os.PathError{Op: "create", Path: path, Err: os.ErrExist}
	}
	return file.Explained(t.file.Read(ctx, func(c *db.Conn) error { return c.CopyAs(ctx, path, false) }), path)
}

// RestoreBackup replaces a tenant's file by a copy of a backup; nothing of it stays. No process may have it open.
func RestoreBackup(ctx context.Context, dir, tenant, from string) error {
	path, err := filepath.Abs(filepath.Join(dir, tenant+".db"))
	if err != nil {
		return err
	}
	return file.Restore(ctx, from, path, file.DefaultBusyTimeout)
}

// ErrInUse is that of a file which another process has open.
var ErrInUse = file.ErrInUse
