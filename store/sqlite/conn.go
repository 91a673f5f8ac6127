package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	driversqlite "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
	_ "modernc.org/sqlite/vec" // vec_distance_cosine

	"mneme/store"
)

// maxStatements bounds the compiled statements that a connection keeps. Filters combine to more than
// are ever used together.
const maxStatements = 256

// conn is a connection with its compiled statements, used by one goroutine at a time.
//
// It speaks to the driver without database/sql. Compiling a statement costs more than running a lookup
// by key (30 against 20 µs), and so does watching a context during one (14 µs, a goroutine each), so
// statements are kept, and only those that may run long are told of the context.
type conn struct {
	driver     driver.Conn
	statements map[string]statement
	budget     *store.Budget // of the request that reads; nil where nothing is counted
	batch      *batch        // of the write of many records that is under way, if one is
	// reads is the context of the read that uses the connection, whose caller hears of records that cannot be read;
	// nil for writes. left counts those.
	reads context.Context //nolint:containedctx // of one read at a time, which ends before its context
	left  int
}

// reading is a function that reads for a context.
func reading(ctx context.Context, do func(*conn) error) func(*conn) error {
	return func(c *conn) error {
		c.reads = ctx
		defer func() { c.reads = nil }()
		return do(c)
	}
}

// statement is what the driver's compiled statements can do.
type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// connect opens a connection by the driver's name for a database.
func connect(ctx context.Context, dsn string) (*conn, error) {
	connector, err := driversqlite.NewConnector(dsn)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", dsn, err)
	}
	opened, err := connector.Connect(ctx)
	if err != nil {
		return nil, fault(err)
	}
	return &conn{driver: opened, statements: map[string]statement{}}, nil
}

// close lets go of the statements and the database.
func (c *conn) close() error {
	for _, s := range c.statements {
		_ = s.Close() // closing the connection ends them anyway
	}
	return fault(c.driver.Close())
}

// script runs statements that return nothing and are not worth keeping.
func (c *conn) script(sql string) error { return c.run(context.Background(), sql) }

// run is script for statements that may run long: the end of the context ends them.
func (c *conn) run(ctx context.Context, sql string) error {
	execer, ok := c.driver.(driver.ExecerContext)
	if !ok {
		return errors.New("sqlite: the driver cannot run scripts")
	}
	_, err := execer.ExecContext(ctx, sql, nil)
	return fault(err)
}

// exec runs a statement that returns nothing.
func (c *conn) exec(sql string, args ...driver.NamedValue) error {
	s, err := c.prepare(sql)
	if err != nil {
		return err
	}
	_, err = s.ExecContext(context.Background(), args)
	return fault(err)
}

// insert runs an INSERT into a table with an integer key and answers that key.
func (c *conn) insert(sql string, args ...driver.NamedValue) (int64, error) {
	s, err := c.prepare(sql)
	if err != nil {
		return 0, err
	}
	result, err := s.ExecContext(context.Background(), args)
	if err != nil {
		return 0, fault(err)
	}
	return result.LastInsertId()
}

// query hands each row of a short query to a function. What the function reads from the row must be
// read in the order of the columns. It must not run the same statement again.
func (c *conn) query(sql string, each func(*row) error, args ...driver.NamedValue) error {
	return c.search(context.Background(), sql, each, args...)
}

// search is query for statements that may run long: the end of the context ends them.
func (c *conn) search(ctx context.Context, sql string, each func(*row) error, args ...driver.NamedValue) (err error) {
	s, err := c.prepare(sql)
	if err != nil {
		return err
	}
	rows, err := s.QueryContext(ctx, args)
	if err != nil {
		return fault(err)
	}
	defer func() { err = errors.Join(err, fault(rows.Close())) }() // also when a panic goes through
	return c.readRows(ctx, rows, each)
}

// rowsPerCheck is how many rows are read between two looks at the context.
const rowsPerCheck = 256

func (c *conn) readRows(ctx context.Context, rows driver.Rows, each func(*row) error) error {
	names := rows.Columns()
	r := row{conn: c, names: names, values: make([]driver.Value, len(names))}
	for count := 1; ; count++ {
		if err := rows.Next(r.values); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fault(err)
		}
		r.column, r.part, r.kind, r.subject = 0, false, "", ""
		if err := each(&r); err != nil || r.err != nil {
			return errors.Join(err, r.fault())
		}
		if err := r.charge(c.budget); err != nil {
			return err
		}
		if count%rowsPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// one reads the row that a query gives at most, and says whether there was one.
func (c *conn) one(sql string, read func(*row), args ...driver.NamedValue) (found bool, err error) {
	err = c.query(sql, func(r *row) error {
		read(r)
		found = true
		return nil
	}, args...)
	return found, err
}

// prepare compiles a statement, or finds it compiled.
func (c *conn) prepare(sql string) (statement, error) {
	if s, known := c.statements[sql]; known {
		return s, nil
	}
	prepared, err := c.driver.Prepare(sql)
	if err != nil {
		return nil, fault(fmt.Errorf("%w in: %s", err, sql))
	}
	s, ok := prepared.(statement)
	if !ok {
		return nil, errors.New("sqlite: the driver's statements are not what they were")
	}
	c.makeRoom()
	c.statements[sql] = s
	return s, nil
}

// makeRoom drops any one statement where there are too many: which one hardly matters, since all of
// them are a few combinations of filters.
func (c *conn) makeRoom() {
	if len(c.statements) < maxStatements {
		return
	}
	for sql, s := range c.statements {
		_ = s.Close()
		delete(c.statements, sql)
		return
	}
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

// isBusy says whether another connection was in the way.
func isBusy(err error) bool {
	var reported *driversqlite.Error
	return errors.As(err, &reported) && (primary(reported) == codes.SQLITE_BUSY || primary(reported) == codes.SQLITE_LOCKED)
}

// primary is the result code without its extension.
func primary(err *driversqlite.Error) int { return err.Code() & 0xff }
