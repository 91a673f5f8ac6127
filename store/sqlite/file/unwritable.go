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
// shared memory by which processes know of each other's writes. It answers by which name it did. It changes nothing
// in the file, but for taking back a write in whose midst a process was killed.
func ConnectToRead(ctx context.Context, path string, busyTimeout time.Duration) (c *db.Conn, name string, err error) {
	if _, err := Regular(path); err != nil {
		return nil, "", err
	}
	if err := checkLog(ctx, path); err != nil {
		return nil, "", err
	}
	readable := func(c *db.Conn) error {
		_, err := schema.VersionOf(c)
		return err
	}
	writable := db.DSN(path, busyTimeout, cacheOf(readerLimit))
	for _, name = range []string{writable + "&mode=ro", writable} { // the last to close, if it may, writes down the log
		if c, err = connect(ctx, name, readable); err == nil {
			return c, name, nil
		}
	}
	if reason := unwritable(filepath.Dir(path)); !canBeRead(reason) {
		return nil, "", err
	}
	name = db.ReadOnlyDSN(path)
	c, err = connect(ctx, name, readable)
	return c, name, err
}

// stateOf tells whether a file was written: its size and time, and those of its log.
func stateOf(path string) (state string) {
	for _, name := range []string{path, path + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			state += fmt.Sprint(name, info.Size(), info.ModTime().UnixNano())
		}
	}
	return state
}

// openToRead opens a tenant's file of which nothing can be written, for the given reason.
func openToRead(ctx context.Context, path string, options Options, reason error) (*database, error) {
	before := stateOf(path)
	c, name, err := ConnectToRead(ctx, path, options.BusyTimeout)
	if err != nil {
		return nil, err
	}
	made, err := schema.Own.IsMade(c)
	if err == nil && !made {
		err = fmt.Errorf("%w; nothing was written to the file yet", reason)
	}
	if err := errors.Join(err, c.Close()); err != nil {
		return nil, err
	}
	d := newDatabase(name, make([]*db.Conn, readerLimit))
	d.options, d.refusal, d.written = options, reason, before
	return d, nil
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
