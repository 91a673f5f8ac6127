package file

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// unwritable says why a directory cannot be written, in the words of the contract; nil where it can.
func unwritable(dir string) error {
	err := Probe(dir)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%w: %w", store.ErrDiskFull, err)
	case errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w: %w", store.ErrReadOnly, err)
	}
	return fmt.Errorf("%w: the data directory cannot be written: %w", store.ErrUnavailable, err)
}

// UnwritableAfter is the reason for an error where it is that the disk is full or read-only, else nil.
func UnwritableAfter(err error, path string) error {
	if err == nil {
		return nil
	}
	if reason := unwritable(filepath.Dir(path)); canBeRead(reason) {
		return reason
	}
	return nil
}

// Explained is an error that says first that the disk is full or read-only, where it is.
func Explained(err error, path string) error {
	if reason := UnwritableAfter(err, path); reason != nil {
		return fmt.Errorf("%w: %w", reason, err)
	}
	return err
}

// canBeRead says whether what is in a directory that cannot be written can be read all the same.
func canBeRead(reason error) bool {
	return errors.Is(reason, store.ErrDiskFull) || errors.Is(reason, store.ErrReadOnly)
}

// ConnectToRead opens a file to be read, also on a disk that is full or read-only, where SQLite cannot make the
// shared memory by which processes know of each other's writes. It changes nothing in the file, but for taking back a
// write in whose midst a process was killed.
func ConnectToRead(ctx context.Context, path string, busyTimeout time.Duration) (c *db.Conn, err error) {
	if _, err := Regular(path); err != nil {
		return nil, err
	}
	if err := checkLog(ctx, path); err != nil {
		return nil, err
	}
	readable := func(c *db.Conn) error {
		_, err := c.Marks()
		return err
	}
	writable := db.DSN(path, busyTimeout, cacheOf(readerLimit))
	for _, name := range []string{writable + "&mode=ro", writable} { // the last to close, if it may, writes down the log
		if c, err = connect(ctx, name, readable); err == nil {
			return c, nil
		}
	}
	if reason := unwritable(filepath.Dir(path)); !canBeRead(reason) {
		return nil, err
	}
	return connect(ctx, db.ReadOnlyDSN(path), readable)
}

// readAsItStands reads the file on a disk that cannot be written, for the given reason. It is opened for each read:
// what another process writes meanwhile is seen, and once the disk can be written nothing is in the way.
func (f *File) readAsItStands(ctx context.Context, reason error, do func(*db.Conn) error) error {
	c, err := ConnectToRead(ctx, f.Path, f.directory.BusyTimeout)
	if err != nil {
		return err
	}
	made, err := schema.Own.IsMade(c)
	if err == nil && !made {
		err = fmt.Errorf("%w; nothing was written to the file yet", reason)
	}
	if err != nil {
		return errors.Join(err, c.Close())
	}
	d := newDatabase(f.directory.Options, "", c)
	return errors.Join(d.read(ctx, db.Reading(ctx, do)), d.close(context.WithoutCancel(ctx)))
}

// Probe makes sure that the directory can be written and has space left.
func Probe(dir string) error {
	file, err := os.CreateTemp(dir, ".check-*")
	if err != nil {
		return err
	}
	_, err = file.Write([]byte{0})
	return errors.Join(err, file.Close(), os.Remove(file.Name()))
}
