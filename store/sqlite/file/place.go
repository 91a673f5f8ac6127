package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"mneme/store"
	"mneme/store/sqlite/db"
)

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
