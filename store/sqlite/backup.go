package sqlite

import (
	"context"
	"os"
	"path/filepath"

	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
)

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
