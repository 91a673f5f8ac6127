// Package keyring is the file of a data directory in which the keys of all tenants are kept. It is none of a tenant's,
// so that a key can be looked up before it is known whose it is, and so that no backup or export of a tenant has it.
package keyring

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"mneme/memory/access"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
)

// Tenant is what stands in the name of the file where others have their tenant. It is the id of none.
const Tenant = "_keys"

// schema is marked "mnky".
var schema = db.Schema{Application: 0x6d6e6b79, Version: 2, Script: `CREATE TABLE keys (
	prefix TEXT PRIMARY KEY,
	hash BLOB NOT NULL,
	tenant TEXT NOT NULL,
	role TEXT NOT NULL,
	name TEXT NOT NULL,
	user_id TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	expires_at INTEGER,
	revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_by_tenant ON keys (tenant, created_at DESC, prefix)`}

// Ring is the file. It comes into being with the first key, and is safe for concurrent use. It is opened anew for each
// call, so that what is put in its place counts at once. That takes 0.3 ms; a server asks for a key once a second.
type Ring struct {
	path     string
	patience time.Duration
	marked   atomic.Bool // that there are keys
}

// Mark is the file of a directory for which keys were made. Where they are gone, it must not be open to everybody.
const Mark = ".keyed"

const markText = "Keys were made for this directory. If _keys.db is gone, put it back, or run mneme keys reset.\n"

// New is the ring of a directory. Another process that writes is waited for as long as patience.
func New(dir string, patience time.Duration) *Ring {
	return &Ring{path: filepath.Join(dir, Tenant+".db"), patience: patience}
}

// read runs a read where there is a file with keys, else nothing: where there was no room for the first, it is empty.
func (r *Ring) read(ctx context.Context, do func(*db.Conn) error) error {
	if file.IsNothing(r.path) {
		return ctx.Err()
	}
	c, err := file.ConnectToRead(ctx, r.path, r.patience)
	if err != nil {
		return err
	}
	made, err := schema.IsMade(c)
	if err = named(err); made {
		err = do(c)
	}
	return errors.Join(err, c.Close())
}

// write runs a write in a transaction, durably.
func (r *Ring) write(ctx context.Context, do func(*db.Tx) error) error {
	if err := file.MakePrivate(r.path); err != nil {
		return err
	}
	c, err := r.open(ctx)
	if err != nil {
		return file.Explained(err, r.path)
	}
	if err = c.Exec(`BEGIN IMMEDIATE`); err == nil {
		err = db.Write(ctx, c, do)
	}
	if err == nil {
		err = c.Exec(`COMMIT`)
	}
	return file.Explained(errors.Join(err, c.Close()), r.path) // which takes back what was not committed
}

// open opens the file, and makes its table where it is new. It has no write-ahead log, which another that is put in its
// place would take for its own.
func (r *Ring) open(ctx context.Context) (c *db.Conn, err error) {
	if _, err := file.Regular(r.path); err != nil {
		return nil, err
	}
	return c, db.RetryBusy(ctx, r.patience, func() error {
		c, err = db.Connect(ctx, db.DSN(r.path, r.patience, "journal_mode(delete)", "synchronous(full)", "secure_delete(1)"), schema.Make)
		return named(err)
	})
}

// named says of an error which file it is of.
func named(err error) error {
	if err != nil {
		err = fmt.Errorf("%s.db: %w", Tenant, err)
	}
	return err
}

// AddKey keeps a key; see store.Keys.
func (r *Ring) AddKey(ctx context.Context, key access.Key) error {
	err := r.write(ctx, func(tx *db.Tx) error {
		if tx.Has(`SELECT 1 FROM keys WHERE prefix = :prefix AND hash <> :hash`, db.Arg("prefix", key.Prefix), db.Arg("hash", key.Hash)) {
			return fmt.Errorf("the key %s: %w", key.Prefix, store.ErrConflict)
		}
		tx.Exec(`INSERT INTO keys (prefix, hash, tenant, role, name, user_id, created_at, expires_at, revoked_at)
VALUES (:prefix, :hash, :tenant, :role, :name, :user, :created, :expires, :revoked) ON CONFLICT DO NOTHING`,
			db.Arg("prefix", key.Prefix), db.Arg("hash", key.Hash), db.Arg("tenant", key.Tenant), db.Arg("role", string(key.Role)), db.Arg("name", key.Name), db.Arg("user", key.User),
			db.Arg("created", key.CreatedAt), db.Arg("expires", key.ExpiresAt), db.Arg("revoked", key.RevokedAt))
		return nil
	})
	if err == nil {
		r.mark()
	}
	return err
}

// mark says that there are keys. On a disk that cannot be written, whoever asks next whether there are any does it.
func (r *Ring) mark() {
	if !r.marked.Load() && os.WriteFile(r.markPath(), []byte(markText), 0o600) == nil {
		r.marked.Store(true)
	}
}

func (r *Ring) markPath() string { return filepath.Join(filepath.Dir(r.path), Mark) }

// ResetKeys removes the file, whatever is in it, unless it is another program's; see store.Keys.
func (r *Ring) ResetKeys(ctx context.Context) error {
	if !file.IsNothing(r.path) {
		if c, err := r.open(ctx); errors.Is(err, store.ErrForeign) {
			return err
		} else if err == nil {
			_ = c.Close()
		}
	}
	for _, path := range []string{r.path, r.path + "-journal", r.path + "-wal", r.path + "-shm", r.markPath()} { // the mark last
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return file.Explained(fmt.Errorf("%w: %w", store.ErrUnavailable, err), r.path)
		}
	}
	r.marked.Store(false)
	return nil
}

const columns = `SELECT prefix, hash, tenant, role, name, user_id, created_at, expires_at, revoked_at FROM keys`

// Key finds a key by its prefix; see store.Keys.
func (r *Ring) Key(ctx context.Context, prefix string) (found *access.Key, err error) {
	err = r.read(ctx, func(c *db.Conn) error {
		_, err := c.One(columns+` WHERE prefix = :prefix`, func(row *db.Row) { found = new(keyOf(row)) }, db.Arg("prefix", prefix))
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// ListKeys lists keys, the newest first; see store.Keys.
func (r *Ring) ListKeys(ctx context.Context, tenant *string) ([]access.Key, error) {
	keys := []access.Key{}
	sql, args := listing(tenant)
	err := r.read(ctx, func(c *db.Conn) error {
		return c.Search(ctx, sql, func(row *db.Row) {
			if key := keyOf(row); !row.Dispensable(ctx) {
				keys = append(keys, key)
			}
		}, args...)
	})
	return keys, err
}

// listing reads the keys of a tenant, or of all. With both in one condition no index would be used.
func listing(tenant *string) (sql string, args []driver.NamedValue) {
	const order = ` ORDER BY created_at DESC, prefix`
	if tenant == nil {
		return columns + order, nil
	}
	return columns + ` WHERE tenant = :tenant` + order, []driver.NamedValue{db.Arg("tenant", tenant)}
}

// RevokeKey revokes a key; see store.Keys.
func (r *Ring) RevokeKey(ctx context.Context, prefix string, tenant *string, at time.Time) (revoked access.Key, err error) {
	if has, err := r.HasKeys(ctx); err != nil || !has { // no file is made for it
		return revoked, errors.Join(err, fmt.Errorf("the key %s: %w", prefix, store.ErrNotFound))
	}
	err = r.write(ctx, func(tx *db.Tx) error {
		const ours = ` WHERE prefix = :prefix AND (:tenant IS NULL OR tenant = :tenant)`
		tx.Exec(`UPDATE keys SET revoked_at = coalesce(revoked_at, :at)`+ours, db.Arg("prefix", prefix), db.Arg("tenant", tenant), db.Arg("at", at))
		if !tx.One(columns+ours, func(row *db.Row) { revoked = keyOf(row) }, db.Arg("prefix", prefix), db.Arg("tenant", tenant)) {
			return fmt.Errorf("the key %s: %w", prefix, store.ErrNotFound)
		}
		return nil
	})
	return revoked, err
}

// HasKeys says whether there is any key; see store.Keys.
func (r *Ring) HasKeys(ctx context.Context) (has bool, err error) {
	err = r.read(ctx, func(c *db.Conn) (err error) {
		has, err = c.Has(`SELECT 1 FROM keys LIMIT 1`)
		return err
	})
	if has {
		r.mark()
	} else if _, gone := os.Stat(r.markPath()); gone == nil && err == nil {
		err = store.ErrKeysLost
	}
	return has, err
}

// keyOf reads a key. One that cannot be read opens nothing: it is a fault, not a key with less.
func keyOf(row *db.Row) access.Key {
	key := access.Key{Prefix: row.Key(store.KindAccessKey), Hash: row.Blob(), Tenant: row.Text(), Role: access.Role(row.Text()), Name: row.Text(), User: row.Text(), CreatedAt: row.Time(), ExpiresAt: row.OptionalTime(), RevokedAt: row.OptionalTime()}
	if err := store.CheckKey(&key); err != nil {
		row.Fail("column role %w", err)
	}
	return key
}
