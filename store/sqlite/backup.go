package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
	"mneme/store/sqlite/graph"
)

// Backup copies the tenant's file while it is in use, by SQLite's online backup. The copy is the state at
// the start, however long it takes and whatever is written meanwhile, since it goes on within one read. It has
// another name until it is whole, so that what a killed process leaves is not taken for a backup.
func (t *Tenant) Backup(ctx context.Context, path string) (err error) {
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		return &os.PathError{Op: "create", Path: path, Err: os.ErrExist}
	}
	part, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // for its owner only
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			if reason := file.UnwritableAfter(err, path); reason != nil {
				err = fmt.Errorf("%w: %w", reason, err)
			}
			err = errors.Join(err, os.Remove(part.Name()))
		}
	}()
	if err := part.Close(); err != nil {
		return err
	}
	if err := t.copyTo(ctx, part.Name()); err != nil {
		return err
	}
	return give(part.Name(), path)
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

// give gives a whole file its name, where nothing is yet; in one step, so that a killed process leaves nothing there.
func give(part, path string) error {
	switch err := os.Link(part, path); {
	case err == nil:
		return os.Remove(part)
	case errors.Is(err, fs.ErrExist):
		return err
	}
	if err := claim(path); err != nil { // a file has one name there
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// copyTo copies the file into an empty one.
func (t *Tenant) copyTo(ctx context.Context, path string) error {
	return t.file.Snapshot(ctx, func(c *db.Conn) error {
		if err := graph.Ping(c); err != nil { // the state is that of the first look
			return err
		}
		return c.CopyTo(ctx, path, file.DefaultBusyTimeout)
	})
}

// claim makes an empty file that only its owner can read, where nothing is yet.
func claim(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}
