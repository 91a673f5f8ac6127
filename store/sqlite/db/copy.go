package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// pagesPerStep is how much of a backup is copied between two looks at the context.
const pagesPerStep = 1024

// CopyAs copies the database into a file for its owner only. It has another name until it is whole, so that what a
// killed process leaves is not taken for a copy; the function gives it its own.
func (c *Conn) CopyAs(ctx context.Context, path string, busyTimeout time.Duration, name func(part, path string) error) error {
	part, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	if err = part.Close(); err == nil {
		err = c.copyTo(ctx, part.Name(), busyTimeout)
	}
	if err == nil {
		err = name(part.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return nil
}

// Name gives a whole file its name, where nothing is yet; in one step, so that a killed process leaves nothing there.
func Name(part, path string) error {
	switch err := os.Link(part, path); {
	case err == nil:
		return os.Remove(part)
	case errors.Is(err, fs.ErrExist):
		return err
	}
	claimed, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // a file has one name there
	if err == nil {
		err = claimed.Close()
	}
	if err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// copyTo copies the database into a file, as it is when the first page is copied within a transaction. The copy keeps
// no log, until it is opened to be used.
func (c *Conn) copyTo(ctx context.Context, path string, busyTimeout time.Duration) (err error) {
	backup, err := c.driver.NewBackup(DSN(path, busyTimeout))
	if err != nil {
		return fault(fmt.Errorf("backup to %s: %w", path, err))
	}
	defer func() {
		if err = errors.Join(err, fault(backup.Finish())); err != nil {
			return
		}
		var copied *Conn
		if copied, err = Connect(ctx, DSN(path, busyTimeout, "journal_mode(delete)")); err == nil {
			err = copied.Close()
		}
	}()
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
