package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"mneme/store"
)

// checkVersions asks all tenants' files for their schema's version, so that a program that is too old
// says so when it starts.
func checkVersions(ctx context.Context, dir string, busyTimeout time.Duration) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".db" {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if err := checkVersion(ctx, path, busyTimeout, len(steps)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// checkVersion goes through SQLite rather than look into the file: to close a file that this process
// has open elsewhere would end its locks there (POSIX takes them for the process's, not the handle's).
func checkVersion(ctx context.Context, path string, busyTimeout time.Duration, latest int) error {
	return retryBusy(ctx, busyTimeout, func() error {
		c, _, err := connectToRead(ctx, path, busyTimeout)
		if err != nil {
			return err
		}
		version, err := schemaVersion(c)
		if err == nil && version > latest && version <= latestVersion && !errors.Is(requireOurs(c), store.ErrForeign) { // which is said to who uses it
			err = newerVersion(version, latest)
		}
		return errors.Join(err, c.close())
	})
}

// isForeign says whether a file is a database of another program, without a change to it. A file that cannot be read
// may be mneme's.
func isForeign(ctx context.Context, path string, busyTimeout time.Duration) bool {
	c, _, err := connectToRead(ctx, path, busyTimeout)
	if err != nil {
		return false
	}
	foreign := errors.Is(requireOurs(c), store.ErrForeign)
	return c.close() == nil && foreign
}
