package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// Explained is an error that says first that the disk is full or read-only, where it is.
func Explained(err error, path string) error {
	if err == nil {
		return nil
	}
	if reason := unwritable(filepath.Dir(path)); canBeRead(reason) {
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
		if c, err = db.Connect(ctx, name, readable); err == nil {
			return c, nil
		}
	}
	if reason := unwritable(filepath.Dir(path)); !canBeRead(reason) {
		return nil, err
	}
	return db.Connect(ctx, db.ReadOnlyDSN(path), readable)
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
	return errors.Join(d.read(ctx, do), d.close(context.WithoutCancel(ctx)))
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

// place is where an open file and its log were found. What is written while another is there, or none, is lost.
type place struct {
	path      string
	file, log fs.FileInfo // nil for one that is not looked at
}

func placeOf(path string) (p place, err error) {
	p.path = path
	if p.file, err = Regular(path); err == nil {
		p.log, err = Regular(path + "-wal")
	}
	return p, err
}

// check is store.ErrReplaced where the file is not there any more.
func (p place) check() error {
	for name, opened := range map[string]fs.FileInfo{p.path: p.file, p.path + "-wal": p.log} {
		if opened == nil {
			continue
		}
		if now, err := os.Stat(name); err != nil || !os.SameFile(opened, now) {
			return fmt.Errorf("%s: %w", name, store.ErrReplaced)
		}
	}
	return nil
}

// Regular is the file at a path. Anything else that has its name, such as a pipe, cannot be opened.
func Regular(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errors.New("it is no regular file")}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return info, nil
}

// checkLog is store.ErrStaleLog where a log stands beside no file, or beside a backup, which has none: SQLite would
// drop it, or take the backup's pages for older ones. An empty log may belong to a file that was moved away while open.
func checkLog(ctx context.Context, path string) error {
	_, missing := os.Stat(path + "-wal")
	own := missing != nil
	if !own && !IsNothing(path) {
		keeps, err := db.KeepsLog(ctx, path)
		own = keeps || err != nil // of which whoever opens it hears more
	}
	if own {
		return nil
	}
	return fmt.Errorf("%s: %w", path, store.ErrStaleLog)
}

// dataFiles are the ends of the names of a tenant's files.
var dataFiles = []string{".db", ".db-wal", ".db-shm", ".db-journal"}

// IsData says whether a name is that of a file of a tenant.
func IsData(name string) bool {
	return slices.ContainsFunc(dataFiles, func(end string) bool { return strings.HasSuffix(name, end) })
}

// Tenants are the ids by which files of a directory are named, in order. They may be no files of mneme's.
func Tenants(dir string) (ids []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		if id, ok := strings.CutSuffix(entry.Name(), ".db"); ok && store.TenantID.MatchString(id) {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// KeepsIn says whether a path is, or would be, that of a file of a data directory, by whatever name.
func KeepsIn(dir, path string) bool {
	same := func(a, b string) bool {
		one, err := os.Stat(a)
		other, missing := os.Stat(b)
		return err == nil && missing == nil && os.SameFile(one, other)
	}
	entries, _ := os.ReadDir(dir) // what cannot be listed is not known to be there
	return IsData(filepath.Base(path)) && same(filepath.Dir(path), dir) || slices.ContainsFunc(entries, func(entry os.DirEntry) bool {
		return IsData(entry.Name()) && same(filepath.Join(dir, entry.Name()), path)
	})
}
