package file

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// checkVersions asks all tenants' files for their schema's version, so that a program that is too old
// says so when it starts.
func checkVersions(ctx context.Context, dir string, busyTimeout time.Duration) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".db" {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if err := checkVersion(ctx, path, busyTimeout); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// checkVersion goes through SQLite rather than look into the file: to close a file that this process
// has open elsewhere would end its locks there (POSIX takes them for the process's, not the handle's).
func checkVersion(ctx context.Context, path string, busyTimeout time.Duration) error {
	return db.RetryBusy(ctx, busyTimeout, func() error {
		c, _, err := ConnectToRead(ctx, path, busyTimeout)
		if err != nil {
			return err
		}
		return errors.Join(schema.CheckNewer(c), c.Close())
	})
}

// IsForeign says whether a file is a database of another program, without a change to it. A file that cannot be read
// may be mneme's.
func IsForeign(ctx context.Context, path string, busyTimeout time.Duration) bool {
	c, _, err := ConnectToRead(ctx, path, busyTimeout)
	if err != nil {
		return false
	}
	foreign := errors.Is(schema.RequireOurs(c), store.ErrForeign)
	return c.Close() == nil && foreign
}
