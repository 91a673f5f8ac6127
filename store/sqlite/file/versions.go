package file

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// checkVersions refuses a directory with a tenant's file of another version, so that a program says so when it starts.
// Of all else that is wrong with a file those are told who use it.
func checkVersions(ctx context.Context, dir string, busyTimeout time.Duration) error {
	ids, err := Tenants(dir)
	if err != nil {
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	for _, id := range ids {
		path := filepath.Join(dir, id+".db")
		if err := checkVersion(ctx, path, busyTimeout); errors.Is(err, store.ErrSchemaVersion) || ctx.Err() != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// checkVersion refuses a file of another version or program, without changing it. It goes through SQLite: closing a
// file that this process has open elsewhere would end its POSIX locks, which belong to the process.
func checkVersion(ctx context.Context, path string, busyTimeout time.Duration) error {
	return db.RetryBusy(ctx, busyTimeout, func() error {
		c, err := ConnectToRead(ctx, path, busyTimeout)
		if err != nil {
			return err
		}
		_, err = schema.Own.IsMade(c)
		return errors.Join(err, c.Close())
	})
}

// IsForeign says whether a file is a database of another program. A file that cannot be read may be mneme's.
func IsForeign(ctx context.Context, path string, busyTimeout time.Duration) bool {
	return errors.Is(checkVersion(ctx, path, busyTimeout), store.ErrForeign)
}
