package sqlite

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"mneme/store"
)

// unwritable says why a directory cannot be written, in the words of the contract; nil where it can.
func unwritable(dir string) error {
	err := probe(dir)
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

// unwritableAfter is the reason for an error where it is that the disk is full or read-only, else nil.
func unwritableAfter(err error, path string) error {
	if err == nil {
		return nil
	}
	if reason := unwritable(filepath.Dir(path)); canBeRead(reason) {
		return reason
	}
	return nil
}

// canBeRead says whether what is in a directory that cannot be written can be read all the same.
func canBeRead(reason error) bool {
	return errors.Is(reason, store.ErrDiskFull) || errors.Is(reason, store.ErrReadOnly)
}

// connectToRead opens a file to be read, also on a disk that is full or read-only, where SQLite cannot make the
// shared memory by which processes know of each other's writes. It answers by which name it did. It changes nothing
// in the file, but for taking back a write in whose midst a process was killed.
func connectToRead(ctx context.Context, path string, busyTimeout time.Duration) (c *conn, name string, err error) {
	name = dsn(path, busyTimeout, cacheOf(readerLimit)) + "&mode=ro" // else the last to close writes down the log
	if c, err = connectReadable(ctx, name); err == nil {
		return c, name, nil
	}
	name = dsn(path, busyTimeout, cacheOf(readerLimit))
	if c, err = connectReadable(ctx, name); err == nil {
		return c, name, nil
	}
	if reason := unwritable(filepath.Dir(path)); !canBeRead(reason) {
		return nil, "", err
	}
	name = dsnAlone(path)
	if c, err = connectReadable(ctx, name); err != nil {
		return nil, "", err
	}
	return c, name, nil
}

// connectReadable opens a file that can be read.
func connectReadable(ctx context.Context, name string) (*conn, error) {
	c, err := connect(ctx, name)
	if err != nil {
		return nil, err
	}
	if _, err := schemaVersion(c); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// dsnAlone is the driver's name for a file that nobody can write: as it stands; with the writes that a process
// left in its log, where one was killed.
func dsnAlone(path string) string {
	settings := url.Values{"immutable": {"1"}, "_pragma": {"temp_store(memory)"}}
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 && runtime.GOOS != "windows" {
		settings = url.Values{"mode": {"ro"}, "vfs": {"unix-none"}, "_pragma": {"locking_mode(exclusive)", "temp_store(memory)"}}
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: settings.Encode()}).String()
}

// state tells whether a file was written: its size and time, and those of its log.
type state [2]struct {
	size int64
	at   time.Time
}

func stateOf(path string) (s state) {
	for i, name := range []string{path, path + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			s[i].size, s[i].at = info.Size(), info.ModTime()
		}
	}
	return s
}

// openToRead opens a tenant's file of which nothing can be written, for the given reason.
func openToRead(ctx context.Context, path string, busyTimeout time.Duration, reason error) (*database, error) {
	before := stateOf(path)
	c, name, err := connectToRead(ctx, path, busyTimeout)
	if err != nil {
		return nil, err
	}
	current, err := isCurrent(c, migrationSteps())
	if err == nil && !current {
		err = fmt.Errorf("%w; it was written by an older version and must be brought to this one's first", reason)
	}
	if err := errors.Join(err, c.close()); err != nil {
		return nil, err
	}
	db := &database{
		dsn: name, readers: make(chan *conn, readerLimit), turns: readerTurns(readerLimit), closed: make(chan struct{}), refusal: reason, written: before,
	}
	for range readerLimit {
		db.readers <- nil
	}
	return db, nil
}
