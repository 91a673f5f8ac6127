package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"mneme/store/lexical"
	"mneme/store/sqlite"
	"mneme/store/sqlite/passages"
	"mneme/store/vectors"
)

// sqliteGround makes a directory for each place.
type sqliteGround struct{ dir string }

func onSQLiteGround() (target, error) {
	dir, err := os.MkdirTemp("", "mneme-write-")
	return &sqliteGround{dir: dir}, err
}

func (g *sqliteGround) close() { _ = os.RemoveAll(g.dir) }

func (g *sqliteGround) describe() string { return "modernc.org/sqlite, synchronous=FULL for all." }

func (g *sqliteGround) fresh(ctx context.Context, withoutVectors bool) (*place, error) {
	dir, err := os.MkdirTemp(g.dir, "place-")
	if err != nil {
		return nil, err
	}
	backend, err := sqlite.Open(ctx, sqlite.Options{Dir: dir, WithoutVectors: withoutVectors})
	if err != nil {
		return nil, err
	}
	return &place{backend: backend, tenant: filepath.Base(dir), remove: func() error {
		err := backend.Close(context.WithoutCancel(ctx))
		_ = os.RemoveAll(dir)
		return err
	}}, nil
}

func (g *sqliteGround) file(p *place) string { return filepath.Join(g.dir, p.tenant, p.tenant+".db") }

// copiedTable is the rows of a table.
type copiedTable struct {
	insert string
	rows   [][]any
}

type sqliteCopy struct {
	*sqliteGround
	tables []copiedTable
}

// plainTables are those whose rows can be read. What the index of words holds is made again of what was said.
var plainTables = []string{
	"nodes", "agents", "episodes", "contents", "canvases", "canvas_actions", "feedback", "edges",
	"profiles", "executions", "episode_executions", "events", "passages", "passage_owners",
}

func (g *sqliteGround) copyOf(ctx context.Context, of *place) (bareCopy, error) {
	db, err := sql.Open("sqlite", "file:"+g.file(of)+"?mode=ro")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	c := &sqliteCopy{sqliteGround: g}
	for _, name := range plainTables {
		table, err := copyTable(ctx, db, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		c.tables = append(c.tables, table)
	}
	said, err := readRows(ctx, db, `SELECT p.id, p.text, o.first, o.second, o.third FROM passages p JOIN passage_owners o USING (node) ORDER BY p.id`)
	if err != nil {
		return nil, err
	}
	entries := copiedTable{insert: `INSERT INTO passage_words (rowid, marks, stems) VALUES (?, ?, ?)`}
	for _, row := range said {
		var marks vectors.Marks
		for i := range 3 {
			marks[i] = uint32(row[2+i].(int64)) //nolint:forcetypeassert // the table is strict
		}
		entries.rows = append(entries.rows, []any{row[0], strings.Join(passages.Marked(marks), " "), lexical.Stems(fmt.Sprint(row[1]))})
	}
	c.tables = append(c.tables, entries)
	return c, nil
}

// copyTable reads a table in its own order.
func copyTable(ctx context.Context, db *sql.DB, name string) (copiedTable, error) {
	columns, err := readRows(ctx, db, `SELECT name FROM pragma_table_info(?)`, name)
	if err != nil {
		return copiedTable{}, err
	}
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = fmt.Sprint(column[0])
	}
	list := strings.Join(names, ", ")
	rows, err := readRows(ctx, db, fmt.Sprintf(`SELECT %s FROM %s`, list, name))
	return copiedTable{
		insert: fmt.Sprintf(`INSERT INTO %s (%s) VALUES (?%s)`, name, list, strings.Repeat(", ?", len(names)-1)), rows: rows,
	}, err
}

func readRows(ctx context.Context, db *sql.DB, query string, args ...any) ([][]any, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var all [][]any
	for rows.Next() {
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		for i, value := range row {
			if empty, ok := value.([]byte); ok && len(empty) == 0 { // as which it would be written as NULL
				row[i] = []byte{}
			}
		}
		all = append(all, row)
	}
	return all, rows.Err()
}

// write gives each transaction the same part of every table. All go through one connection, as SQLite has it;
// those who write singly wait for it.
func (c *sqliteCopy) write(ctx context.Context, transactions, writers int) (took, spent time.Duration, err error) {
	at, err := c.fresh(ctx, true)
	if err != nil {
		return 0, 0, err
	}
	t, err := at.backend.Tenant(ctx, at.tenant)
	if err == nil {
		_, err = t.InputKey(ctx) // makes the file with its schema
	}
	if err != nil {
		return 0, 0, err
	}
	if err := at.backend.Close(ctx); err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(filepath.Dir(c.file(at)))
	db, err := sql.Open("sqlite", "file:"+c.file(at)+"?_pragma=journal_mode(wal)&_pragma=synchronous(full)&_pragma=cache_size(-32768)&_txlock=immediate")
	if err != nil {
		return 0, 0, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	statements := make([]*sql.Stmt, len(c.tables))
	for i, table := range c.tables {
		if statements[i], err = db.PrepareContext(ctx, table.insert); err != nil { //nolint:sqlclosecheck // closed with db
			return 0, 0, err
		}
	}
	return timedAndSpent(func() error {
		return share(transactions, writers, 1, func(part int) error { return c.writePart(ctx, db, statements, part, transactions) })
	})
}

func (c *sqliteCopy) writePart(ctx context.Context, db *sql.DB, statements []*sql.Stmt, part, parts int) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	for i, table := range c.tables {
		insert := tx.StmtContext(ctx, statements[i]) //nolint:sqlclosecheck // closed with the transaction
		for _, row := range table.rows[len(table.rows)*part/parts : len(table.rows)*(part+1)/parts] {
			if _, err := insert.ExecContext(ctx, row...); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}

// share has writers do numbered parts, each a run of them at a time, and gives the first fault.
func share(parts, writers, run int, do func(part int) error) error {
	var group sync.WaitGroup
	var mutex sync.Mutex
	next, fault := 0, error(nil)
	take := func() int {
		mutex.Lock()
		defer mutex.Unlock()
		if fault != nil {
			return parts
		}
		next += run
		return next - run
	}
	for range writers {
		group.Go(func() {
			for from := take(); from < parts; from = take() {
				for part := from; part < min(from+run, parts); part++ {
					if err := do(part); err != nil {
						mutex.Lock()
						fault = err
						mutex.Unlock()
						return
					}
				}
			}
		})
	}
	group.Wait()
	return fault
}
