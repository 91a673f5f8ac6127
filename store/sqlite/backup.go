package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	driversqlite "modernc.org/sqlite"
)

// pagesPerStep is how much of a backup is copied between two looks at the context.
const pagesPerStep = 1024

// Backup copies the tenant's file while it is in use, by SQLite's online backup. The copy is the state at
// the start, however long it takes and whatever is written meanwhile, since it goes on within one read.
func (t *Tenant) Backup(ctx context.Context, path string) (err error) {
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	if err := claim(path); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			if reason := unwritableAfter(err, path); reason != nil {
				err = fmt.Errorf("%w: %w", reason, err)
			}
			err = errors.Join(err, os.Remove(path))
		}
	}()
	return t.snapshot(ctx, func(c *conn) error {
		if err := pingNodes(c); err != nil { // the state is that of the first look
			return err
		}
		return copyPages(ctx, c, path)
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

func copyPages(ctx context.Context, c *conn, path string) (err error) {
	source, ok := c.driver.(interface {
		NewBackup(destination string) (*driversqlite.Backup, error)
	})
	if !ok {
		return errors.New("sqlite: the driver cannot make backups")
	}
	backup, err := source.NewBackup(dsn(path, defaultBusyTimeout))
	if err != nil {
		return fault(fmt.Errorf("backup to %s: %w", path, err))
	}
	defer func() { err = errors.Join(err, fault(backup.Finish())) }()
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if more, err = backup.Step(pagesPerStep); err != nil {
			return fault(fmt.Errorf("backup to %s: %w", path, err))
		}
	}
	return nil
}
