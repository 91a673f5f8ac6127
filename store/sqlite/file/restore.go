package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// ErrInUse is that of a file which another process has open.
var ErrInUse = errors.New("another process has it open")

// inUseAfter is how long it is waited for who has a file open.
const inUseAfter = time.Second

// Restore puts a copy of a database in the place of a tenant's file, which may be damaged or missing, without what
// belongs to the one before. It returns ErrInUse where that is open, and those of db.Schema for what is no backup.
func Restore(ctx context.Context, from, path string, busyTimeout time.Duration) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	source, err := ConnectToRead(ctx, from, busyTimeout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	if err := checkBackup(ctx, source); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if err := release(ctx, path); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := source.CopyAs(ctx, path, true); err != nil {
		return err
	}
	for _, end := range []string{"-wal", "-shm", "-journal"} { // until they are gone, the file is refused beside them
		if err := os.Remove(path + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	directory, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	_ = directory.Sync() // which makes the change of a name durable, and not every system can
	return directory.Close()
}

// checkBackup makes sure that a database can be used by this version, and is whole.
func checkBackup(ctx context.Context, c *db.Conn) error {
	marks, err := c.Marks()
	if err == nil && marks == (db.Marks{}) {
		err = fmt.Errorf("%w: nothing was written to it", store.ErrInvalid)
	}
	if err == nil {
		_, err = schema.Own.IsMade(c)
	}
	if err != nil {
		return err
	}
	return c.Search(ctx, `PRAGMA quick_check(1)`, func(r *db.Row) {
		if says := r.Text(); says != "ok" {
			r.Stop(fmt.Errorf("%w: it is damaged: %s", store.ErrInvalid, says))
		}
	})
}

// release makes sure that nobody has a file open, where that can be told.
func release(ctx context.Context, path string) error {
	info, _ := os.Stat(path)
	if whole := info != nil && info.Mode().IsRegular() && info.Size() > 0 && checkLog(ctx, path) == nil; !whole {
		return nil
	}
	if err := checkVersion(ctx, path, inUseAfter); errors.Is(err, store.ErrForeign) {
		return err
	}
	c, err := db.Connect(ctx, db.DSN(path, inUseAfter, "journal_mode(delete)")) // which only who is alone can set
	switch {
	case err == nil:
		return c.Close()
	case db.IsBusy(err):
		return ErrInUse
	}
	return nil // a damaged one goes
}
