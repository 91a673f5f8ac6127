package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"sync/atomic"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// database is an opened file: a writer, and readers that are opened as they are needed.
type database struct {
	dsn     string
	writer  *writer
	readers chan *db.Conn // idle ones, and nil for each that was not opened yet
	turns   *store.Turns  // for the readers
	place   place
	closed  atomic.Bool
	options Options
	shared  db.Shared // by the readers
}

// readerLimit is how many reads run at once. They hardly wait for anything but the processor; a few
// more than there are processors keep a long one from stopping all short ones. One request has half of them at most.
var readerLimit = max(4, 2*runtime.GOMAXPROCS(0))

// openFile opens a tenant's file, made where it is missing.
func openFile(ctx context.Context, path string, options Options) (*database, error) {
	busyTimeout := options.BusyTimeout
	if err := MakePrivate(path); err != nil {
		return nil, err
	}
	err := checkVersion(ctx, path, busyTimeout) // before anything is set in it
	if errors.Is(err, store.ErrForeign) || errors.Is(err, store.ErrSchemaVersion) || errors.Is(err, store.ErrStaleLog) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	opened, err := Regular(path)
	if err != nil {
		return nil, err
	}
	var c *db.Conn
	err = db.RetryBusy(ctx, busyTimeout, func() (err error) {
		c, err = openWriter(ctx, path, options)
		return err
	})
	if err != nil {
		return nil, Explained(fmt.Errorf("open %s: %w", path, err), path)
	}
	at, err := placeOf(path)
	if err == nil && !os.SameFile(opened, at.file) {
		err = store.ErrReplaced
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), c.Close())
	}
	d := newDatabase(options, db.DSN(path, busyTimeout, cacheOf(readerLimit), "query_only(1)"), make([]*db.Conn, readerLimit)...)
	d.writer, d.place = startWriter(c, at, options), at
	return d, nil
}

// newDatabase is read by so many readers, of which those that are nil are not opened yet.
func newDatabase(options Options, dsn string, readers ...*db.Conn) *database {
	d := &database{options: options, dsn: dsn, readers: make(chan *db.Conn, len(readers)), turns: store.NewTurns(len(readers), max(1, len(readers)/2))}
	for _, c := range readers {
		d.readers <- c
	}
	return d
}

// MakePrivate makes an empty file that only its owner can read. SQLite gives the same permissions to
// the files it puts beside it.
func MakePrivate(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		err = Explained(fmt.Errorf("%w: %w", store.ErrUnavailable, err), path)
	}
	return err
}

// openWriter opens the connection that writes the file, and makes its schema.
func openWriter(ctx context.Context, path string, options Options) (*db.Conn, error) {
	dsn := db.DSN(path, options.BusyTimeout, cacheOf(1), "journal_mode(wal)", "synchronous(full)", "secure_delete(1)",
		"foreign_keys(1)", "journal_size_limit(67108864)")
	return db.Connect(ctx, dsn, func(c *db.Conn) error {
		c.Vectors, c.Embeddings = !options.WithoutVectors, options.Embeddings
		return schema.Own.Make(c)
	})
}

// read lends a reader to a function, which must not ask for another.
func (d *database) read(ctx context.Context, do func(*db.Conn) error) error {
	done, err := d.turns.Take(ctx)
	if err != nil {
		return err
	}
	defer done()
	var c *db.Conn
	select {
	case c = <-d.readers:
		defer func() { d.readers <- c }()
	default: // there was one for each turn
	}
	if d.closed.Load() {
		return ErrClosed
	}
	if c == nil {
		if c, err = db.Connect(ctx, d.dsn); err != nil {
			c = nil
			return err
		}
	}
	c.Vectors, c.Embeddings, c.Shared = !d.options.WithoutVectors, d.options.Embeddings, &d.shared
	c.Budget = store.BudgetOf(ctx)
	defer func() {
		c.Budget = nil
		c.CountStatements(d.options.Observer)
	}()
	return db.Reading(ctx, do)(c)
}

// close waits for the readers and lets the writer finish. It is called once.
func (d *database) close(ctx context.Context) (err error) {
	d.closed.Store(true)
	for range cap(d.readers) {
		select {
		case c := <-d.readers:
			if c != nil {
				err = errors.Join(err, c.Close())
			}
		case <-ctx.Done():
			err = errors.Join(err, ctx.Err())
		}
	}
	if d.writer != nil {
		err = errors.Join(err, d.writer.close())
	}
	return err
}

// Pages are cached for the writer, and as much for all readers together, whatever the number of processors: a page
// takes twice its size, and the cache outlives a large read. The system's cache has most of the rest.
const (
	cacheKiB      = 32 << 10
	leastCacheKiB = 1 << 10
)

// cacheOf is the setting of one connection of so many that share a cache's size.
func cacheOf(connections int) string {
	return fmt.Sprintf("cache_size(-%d)", max(cacheKiB/connections, leastCacheKiB))
}
