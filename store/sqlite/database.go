package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"mneme/store"
)

// database is an opened file: a writer, and readers that are opened as they are needed.
type database struct {
	dsn     string
	refusal error // why nothing can be written; nil where it can
	written state // of the file, where nothing can be written
	writer  *writer
	readers chan *conn   // idle ones, and nil for each that was not opened yet
	turns   *store.Turns // for the readers
	closed  chan struct{}
	closing sync.Once
}

// readerLimit is how many reads run at once. They hardly wait for anything but the processor; a few
// more than there are processors keep a long one from stopping all short ones. One request has half of them at most.
var readerLimit = max(4, 2*runtime.GOMAXPROCS(0))

func readerTurns(readers int) *store.Turns { return store.NewTurns(readers, max(1, readers/2)) }

// openFile opens a tenant's file, made where it is missing and brought to this version's schema.
func openFile(ctx context.Context, path string, habits habits) (*database, error) {
	busyTimeout := habits.busyTimeout
	if err := makePrivate(path); err != nil {
		return nil, fmt.Errorf("%w: %w", cmp.Or(unwritableAfter(err, path), store.ErrUnavailable), err)
	}
	if isForeign(ctx, path, busyTimeout) { // before anything is set in it
		return nil, fmt.Errorf("%s: %w", path, store.ErrForeign)
	}
	var c *conn
	err := retryBusy(ctx, busyTimeout, func() (err error) {
		c, err = openWriter(ctx, path, busyTimeout)
		return err
	})
	if reason := unwritableAfter(err, path); reason != nil {
		return openToRead(ctx, path, busyTimeout, reason)
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return newDatabase(startWriter(c, path, habits), dsn(path, busyTimeout, cacheOf(readerLimit), "query_only(1)"), readerLimit), nil
}

// openMemory opens an empty database, to be read only.
func openMemory(ctx context.Context) (*database, error) {
	c, err := connect(ctx, ":memory:")
	if err != nil {
		return nil, err
	}
	if err := migrate(c); err != nil {
		return nil, errors.Join(err, c.close())
	}
	db := &database{readers: make(chan *conn, 1), turns: readerTurns(1), closed: make(chan struct{})}
	db.readers <- c
	return db, nil
}

func newDatabase(w *writer, dsn string, readers int) *database {
	db := &database{
		dsn: dsn, writer: w, readers: make(chan *conn, readers), turns: readerTurns(readers), closed: make(chan struct{}),
	}
	for range readers {
		db.readers <- nil
	}
	return db
}

// makePrivate makes an empty file that only its owner can read. SQLite gives the same permissions to
// the files it puts beside it.
func makePrivate(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// openWriter opens the connection that writes and migrates the file.
func openWriter(ctx context.Context, path string, busyTimeout time.Duration) (*conn, error) {
	c, err := connect(ctx, dsn(path, busyTimeout, cacheOf(1), "journal_mode(wal)", "synchronous(full)", "secure_delete(1)",
		"foreign_keys(1)", "journal_size_limit(67108864)"))
	if err != nil {
		return nil, err
	}
	if err := migrate(c); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// Pages are cached for the writer, and as much for all readers together, whatever the number of processors: a page takes
// twice its size, and the cache stays when a large read is over. What is not in there is mostly in that of the system.
const (
	cacheKiB      = 32 << 10
	leastCacheKiB = 1 << 10
)

// cacheOf is the setting of one connection of so many that share a cache's size.
func cacheOf(connections int) string {
	return fmt.Sprintf("cache_size(-%d)", max(cacheKiB/connections, leastCacheKiB))
}

// dsn is the driver's name for a file, with what every connection sets first. The driver sorts the pragmas, so each may be
// there once.
func dsn(path string, busyTimeout time.Duration, pragmas ...string) string {
	location := filepath.ToSlash(path)
	if !strings.HasPrefix(location, "/") {
		location = "/" + location
	}
	settings := url.Values{"_pragma": append([]string{
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()), "temp_store(memory)",
	}, pragmas...)}
	return (&url.URL{Scheme: "file", Path: location, RawQuery: settings.Encode()}).String()
}

// retryBusy tries again while other connections are in the way: SQLite does not wait by itself where
// two of them turn a new file to the write-ahead log at once.
func retryBusy(ctx context.Context, patience time.Duration, try func() error) error {
	for deadline := time.Now().Add(patience); ; {
		err := try()
		if !isBusy(err) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// read lends a reader to a function, which must not ask for another.
func (db *database) read(ctx context.Context, do func(*conn) error) error {
	done, err := db.turns.Take(ctx)
	if err != nil {
		return err
	}
	defer done()
	c, err := db.acquire(ctx)
	if err != nil {
		return err
	}
	defer func() { db.readers <- c }()
	if c == nil {
		if c, err = connect(ctx, db.dsn); err != nil {
			c = nil
			return err
		}
	}
	c.budget = store.BudgetOf(ctx)
	defer func() { c.budget = nil }()
	return do(c)
}

func (db *database) acquire(ctx context.Context) (*conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case <-db.closed:
		return nil, errClosed
	default:
	}
	select {
	case c := <-db.readers:
		return c, nil
	case <-db.closed:
		return nil, errClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// close lets the writer finish and waits for the readers; a second call does nothing.
func (db *database) close(ctx context.Context) (err error) {
	db.closing.Do(func() {
		close(db.closed)
		for range cap(db.readers) {
			select {
			case c := <-db.readers:
				if c != nil {
					err = errors.Join(err, c.close())
				}
			case <-ctx.Done():
				err = errors.Join(err, ctx.Err())
			}
		}
		if db.writer != nil {
			err = errors.Join(err, db.writer.close())
		}
	})
	return err
}
