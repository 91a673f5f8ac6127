package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	driversqlite "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
	_ "modernc.org/sqlite/vec" // vec_distance_cosine

	"mneme/store"
)

// maxStatements bounds the compiled statements that a connection keeps. Filters combine to more than
// are ever used together.
const maxStatements = 256

// Conn is a connection with its compiled statements, used by one goroutine at a time.
//
// It speaks to the driver without database/sql. Compiling a statement costs more than running a lookup
// by key (30 against 20 µs), and so does watching a context during one (14 µs, a goroutine each), so
// statements are kept, and only those that may run long are told of the context.
type Conn struct {
	driver     connection
	statements map[string]statement
	reading    []string      // the statements whose rows are being read, one within the other
	Budget     *store.Budget // of the request that reads; nil where nothing is counted
	// Reads is the context of the read that uses the connection, whose caller hears of records that cannot be read;
	// nil for writes. Left counts those.
	Reads context.Context // of one read at a time, which ends before its context
	Left  int
	// Vectors says whether what is written gets vectors, and what is looked for is compared by them.
	Vectors bool
	// Embeddings says whether an endpoint makes vectors, too.
	Embeddings store.Embeddings
	Shared     *Shared // of the connections that read a file; nil for others
	ran        int     // statements, since they were told of
}

// Reading is a function that reads for a context.
func Reading(ctx context.Context, do func(*Conn) error) func(*Conn) error {
	return func(c *Conn) error {
		c.Reads = ctx
		defer func() { c.Reads = nil }()
		return do(c)
	}
}

// connection and statement are what the driver's connections and compiled statements can do.
type (
	connection interface {
		driver.Conn
		driver.ExecerContext
	}
	statement interface {
		driver.Stmt
		driver.StmtExecContext
		driver.StmtQueryContext
	}
)

// Connect opens a connection by the driver's name for a database, which functions make ready, or find to be no good.
func Connect(ctx context.Context, dsn string, ready ...func(*Conn) error) (*Conn, error) {
	connector, err := driversqlite.NewConnector(dsn)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", dsn, err)
	}
	opened, err := connector.Connect(ctx)
	if err != nil {
		return nil, fault(err)
	}
	c := &Conn{driver: opened.(connection), statements: map[string]statement{}} //nolint:forcetypeassert // of this driver
	for _, do := range ready {
		if err := do(c); err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	return c, nil
}

// Statements are those that were compiled and kept.
func (c *Conn) Statements() []string { return slices.Collect(maps.Keys(c.statements)) }

// Close lets go of the statements and the database.
func (c *Conn) Close() error {
	for _, s := range c.statements {
		_ = s.Close() // closing the connection ends them anyway
	}
	return fault(c.driver.Close())
}

// Script runs statements that return nothing and are not worth keeping.
func (c *Conn) Script(sql string) error { return c.Run(context.Background(), sql) }

// Run is Script for statements that may run long: the end of the context ends them.
func (c *Conn) Run(ctx context.Context, sql string) error {
	c.ran++
	_, err := c.driver.ExecContext(ctx, sql, nil)
	return fault(err)
}

// CountStatements tells an observer how many statements ran since it was told last; nil for nobody.
func (c *Conn) CountStatements(o store.Observer) {
	if o != nil && c.ran > 0 {
		o.Statements(c.ran)
	}
	c.ran = 0
}

// Exec runs a statement that returns nothing.
func (c *Conn) Exec(sql string, args ...driver.NamedValue) error {
	_, err := c.run(sql, args)
	return err
}

func (c *Conn) run(sql string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.prepare(sql)
	if err != nil {
		return nil, err
	}
	result, err := s.ExecContext(context.Background(), args)
	return result, fault(err)
}

// Query hands each row of a short query to a function. What the function reads from the row must be
// read in the order of the columns. It must not run the same statement again.
func (c *Conn) Query(sql string, each func(*Row), args ...driver.NamedValue) error {
	return c.Search(context.Background(), sql, each, args...)
}

// Search is Query for statements that may run long: the end of the context ends them.
func (c *Conn) Search(ctx context.Context, sql string, each func(*Row), args ...driver.NamedValue) (err error) {
	s, err := c.prepare(sql)
	if err != nil {
		return err
	}
	rows, err := s.QueryContext(ctx, args)
	if err != nil {
		return fault(err)
	}
	c.reading = append(c.reading, sql)
	defer func() { // also when a panic goes through
		c.reading = c.reading[:len(c.reading)-1]
		err = errors.Join(err, fault(rows.Close()))
	}()
	return c.readRows(ctx, rows, each)
}

// Shared is what the connections that read a file keep in memory together: one value, of the type that asks first.
type Shared struct {
	once sync.Once
	kept any
}

// Kept is the value that the connections to a file share, zero at its first use. It guards itself. A connection by
// itself gets one of its own each time.
func Kept[T any](c *Conn) *T {
	if c.Shared == nil {
		return new(T)
	}
	c.Shared.once.Do(func() { c.Shared.kept = new(T) })
	return c.Shared.kept.(*T) //nolint:forcetypeassert // of the one type that asks
}

// RowsPerCheck is how many rows of a loop are gone through between two looks at the context.
const RowsPerCheck = 256

// readRows looks at the contexts after each row: rows may be far apart.
func (c *Conn) readRows(ctx context.Context, rows driver.Rows, each func(*Row)) error {
	names := rows.Columns()
	r := Row{Conn: c, names: names, Values: make([]driver.Value, len(names))}
	for {
		if err := rows.Next(r.Values); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fault(err)
		}
		r.Column, r.Part, r.kind, r.subject, r.inLog = 0, false, "", "", false
		if each(&r); r.stop != nil || r.Err != nil {
			return errors.Join(r.stop, r.Fault())
		}
		if err := r.charge(c.Budget); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if c.Reads != nil && c.Reads.Err() != nil {
			return c.Reads.Err()
		}
	}
}

// One reads the row that a query gives at most, and says whether there was one.
func (c *Conn) One(sql string, read func(*Row), args ...driver.NamedValue) (found bool, err error) {
	err = c.Query(sql, func(r *Row) {
		read(r)
		found = true
	}, args...)
	return found, err
}

// Has says whether a query gives a row.
func (c *Conn) Has(sql string, args ...driver.NamedValue) (bool, error) {
	return c.One(sql, func(*Row) {}, args...)
}

// Number is the number that a query gives, 0 where it gives none. The end of the context ends it.
func (c *Conn) Number(ctx context.Context, sql string, args ...driver.NamedValue) (n int64, err error) {
	err = c.Search(ctx, sql, func(r *Row) { n = r.Integer() }, args...)
	return n, err
}

// prepare compiles a statement, or finds it compiled.
func (c *Conn) prepare(sql string) (statement, error) {
	c.ran++
	if s, known := c.statements[sql]; known {
		return s, nil
	}
	prepared, err := c.driver.Prepare(sql)
	if err != nil {
		return nil, fault(fmt.Errorf("%w in: %s", err, sql))
	}
	s := prepared.(statement) //nolint:forcetypeassert // of this driver
	// Which one goes hardly matters, as all are combinations of filters. One whose rows are being read must stay: the
	// driver would read on in freed memory.
	for kept, old := range c.statements {
		if len(c.statements) < maxStatements {
			break
		}
		if !slices.Contains(c.reading, kept) {
			_ = old.Close()
			delete(c.statements, kept)
		}
	}
	c.statements[sql] = s
	return s, nil
}

// fault says of an error of the driver whether the database is out of reach for now: locked by
// another process, or a disk that is full, gone or read-only.
func fault(err error) error {
	var reported *driversqlite.Error
	if !errors.As(err, &reported) {
		return err
	}
	switch primary(reported) {
	case codes.SQLITE_FULL:
		return fmt.Errorf("%w: %w", store.ErrDiskFull, err)
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED, codes.SQLITE_IOERR,
		codes.SQLITE_CANTOPEN, codes.SQLITE_READONLY, codes.SQLITE_PERM, codes.SQLITE_NOLFS:
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return err
}

// IsBusy says whether another connection was in the way.
func IsBusy(err error) bool {
	var reported *driversqlite.Error
	return errors.As(err, &reported) && (primary(reported) == codes.SQLITE_BUSY || primary(reported) == codes.SQLITE_LOCKED)
}

// primary is the result code without its extension.
func primary(err *driversqlite.Error) int { return err.Code() & 0xff }

// RetryBusy tries again while other connections are in the way: SQLite does not wait by itself where
// two of them turn a new file to the write-ahead log at once.
func RetryBusy(ctx context.Context, patience time.Duration, try func() error) error {
	for deadline := time.Now().Add(patience); ; {
		err := try()
		if !IsBusy(err) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// DSN is the driver's name for a file that is there, with what every connection sets first. The driver sorts the
// pragmas, so each may be there once.
func DSN(path string, busyTimeout time.Duration, pragmas ...string) string {
	location := filepath.ToSlash(path)
	if !strings.HasPrefix(location, "/") {
		location = "/" + location
	}
	settings := url.Values{"mode": {"rw"}, "_pragma": append([]string{
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()), "temp_store(memory)",
	}, pragmas...)}
	return (&url.URL{Scheme: "file", Path: location, RawQuery: settings.Encode()}).String()
}

// ReadOnlyDSN is the driver's name for a file that nobody can write: as it stands; with the writes that a process
// left in its log, where one was killed.
func ReadOnlyDSN(path string) string {
	settings := url.Values{"immutable": {"1"}, "_pragma": {"temp_store(memory)"}}
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 && runtime.GOOS != "windows" {
		settings = url.Values{"mode": {"ro"}, "vfs": {"unix-none"}, "_pragma": {"locking_mode(exclusive)", "temp_store(memory)"}}
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: settings.Encode()}).String()
}

// CopyAs copies the database, as it is at one moment, into a file for its owner only, in place of one that is there or
// only where none is (fs.ErrExist). It has another name until it is whole, so that what a killed process leaves is not
// taken for a copy. The copy keeps no log.
func (c *Conn) CopyAs(ctx context.Context, path string, replace bool) error {
	part, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	err = c.Script(`PRAGMA query_only = 0`) // which forbids to write any file
	if err == nil {
		err = errors.Join(c.Run(ctx, `VACUUM INTO '`+strings.ReplaceAll(part.Name(), "'", "''")+`'`), c.Script(`PRAGMA query_only = 1`))
	}
	err = errors.Join(err, part.Sync(), part.Close())
	if err == nil && !replace {
		var place *os.File // else another copy that was made meanwhile would be lost
		if place, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err == nil {
			err = place.Close()
		}
	}
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return nil
}
