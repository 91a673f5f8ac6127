package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"mneme/store"
	"mneme/store/fields"
)

// Tx is a write. Its first error ends it: what is asked of it after that does nothing and finds nothing, and the write
// fails with that error. So nobody looks for errors after each statement. What only reads goes by the Conn.
type Tx struct {
	*Conn
	Context context.Context // lives as long as the write, whose caller's it is
	err     error
	// parts are what the layers above keep with a write of many records, such as what they put off until the last of them,
	// and filled which tables have rows; nil in any other write.
	parts  map[reflect.Type]any
	filled map[string]bool
}

// Write runs a write on a connection, whose caller begins and ends the transaction. An error that the function returns
// counts where nothing failed before it, or where it tells what did.
func Write(ctx context.Context, c *Conn, do func(*Tx) error) error {
	tx := &Tx{Conn: c, Context: ctx}
	if err := do(tx); tx.err == nil || errors.Is(err, tx.err) {
		return err
	}
	return tx.err
}

// Err is the error that ended the write, nil while it goes on.
func (tx *Tx) Err() error { return tx.err }

// Fail ends the write with an error, unless that is nil or the write has ended.
func (tx *Tx) Fail(err error) {
	if tx.err == nil {
		tx.err = err
	}
}

// Exec runs a statement that returns nothing.
func (tx *Tx) Exec(sql string, args ...driver.NamedValue) {
	if tx.err == nil {
		tx.err = tx.Conn.Exec(sql, args...)
	}
}

// Script runs statements that return nothing and are not worth keeping.
func (tx *Tx) Script(statements ...string) {
	for _, sql := range statements {
		if tx.err == nil {
			tx.err = tx.Conn.Script(sql)
		}
	}
}

// Put runs what Inserting or Updating made.
func (tx *Tx) Put(statement string, list fields.List, others ...driver.NamedValue) {
	args := slices.Grow(others, len(list))
	for _, f := range list {
		if !f.IsOwn() {
			continue
		}
		value, err := encode(f.At)
		if err != nil {
			tx.Fail(fmt.Errorf("sqlite: field %s: %w", f.Name, err))
		}
		args = append(args, driver.NamedValue{Name: f.Name, Value: value})
	}
	tx.Exec(statement, args...)
}

// Insert runs an INSERT into a table with an integer key and answers that key.
func (tx *Tx) Insert(sql string, args ...driver.NamedValue) (id int64) {
	if tx.err == nil {
		result, err := tx.run(sql, args)
		if err == nil {
			id, err = result.LastInsertId()
		}
		tx.err = err
	}
	return id
}

// One reads the row that a query gives at most, and says whether there was one.
func (tx *Tx) One(sql string, read func(*Row), args ...driver.NamedValue) (found bool) {
	if tx.err == nil {
		there, err := tx.Conn.One(sql, read, args...)
		found = there
		tx.Fail(err)
	}
	return found
}

// Has says whether a query gives a row.
func (tx *Tx) Has(sql string, args ...driver.NamedValue) bool {
	return tx.One(sql, func(*Row) {}, args...)
}

// Each hands each row of a query to a function; see Conn.Query.
func (tx *Tx) Each(sql string, each func(*Row), args ...driver.NamedValue) {
	if tx.err == nil {
		tx.Fail(tx.Query(sql, each, args...))
	}
}

// IDs are the numbers that a query gives.
func (tx *Tx) IDs(sql string, args ...driver.NamedValue) []int64 {
	return Rows(tx, sql, (*Row).Integer, args...)
}

// Rows reads the rows of a query.
func Rows[T any](tx *Tx, sql string, read func(*Row) T, args ...driver.NamedValue) []T {
	return Ask(tx, func(c *Conn) ([]T, error) { return All(c, sql, read, args...) })
}

// Ask is what a function reads, whoever else it reads for.
func Ask[T any](tx *Tx, read func(*Conn) (T, error)) (answer T) {
	if tx.err == nil {
		answer, tx.err = read(tx.Conn)
	}
	return answer
}

// Together runs a write of many records, and after it what was put off.
func (tx *Tx) Together(write func(*Tx) error, finish ...func(*Tx)) error {
	tx.parts, tx.filled = map[reflect.Type]any{}, map[string]bool{}
	if err := write(tx); err != nil || tx.err != nil {
		return err
	}
	for _, step := range finish {
		step(tx)
	}
	return tx.err
}

// Part is what is kept with the write of many records that is under way, of a type of the layer that asks; nil where
// none is.
func Part[T any](tx *Tx) *T {
	if tx.parts == nil {
		return nil
	}
	of := reflect.TypeFor[T]()
	if tx.parts[of] == nil {
		tx.parts[of] = new(T)
	}
	return tx.parts[of].(*T) //nolint:forcetypeassert // made just above
}

// Any says whether a table may have rows. A write of many records asks once.
func (tx *Tx) Any(table string) bool {
	if tx.filled == nil {
		return true
	}
	filled, asked := tx.filled[table]
	if !asked {
		filled = tx.Has(`SELECT 1 FROM ` + table + ` LIMIT 1`)
		tx.filled[table] = filled
	}
	return filled
}

// Adds says that a table has rows now.
func (tx *Tx) Adds(table string) {
	if tx.filled != nil {
		tx.filled[table] = true
	}
}

// Conditions are what a query asks, joined by AND, with their parameters. The texts are
// constants; what a caller gives is always a parameter.
type Conditions struct {
	Texts []string
	Args  []driver.NamedValue
}

// Add asks for one more, with the parameters in it.
func (w *Conditions) Add(text string, args ...driver.NamedValue) {
	w.Texts = append(w.Texts, text)
	w.Args = append(w.Args, args...)
}

// AddGiven asks for one more, where the value of the parameter in it is given.
func (w *Conditions) AddGiven(text, name string, value any) {
	if arg := Arg(name, value); arg.Value != nil {
		w.Add(text, arg)
	}
}

// SQL joins the conditions; none is always true.
func (w *Conditions) SQL() string {
	if len(w.Texts) == 0 {
		return "1"
	}
	return strings.Join(w.Texts, " AND ")
}

// AddAfter goes on behind a position in the order newest first, then by the key of k.
func (w *Conditions) AddAfter(column string, after *store.Position) {
	if after != nil {
		w.Add(column+` <= :after_at AND (`+column+` < :after_at OR k.key > :after_key)`,
			Arg("after_at", after.At), Arg("after_key", after.Key))
	}
}

// AddAfterName goes on behind a name, in the order of names that are unique.
func (w *Conditions) AddAfterName(column string, after *store.Position) {
	if after != nil {
		w.Add(column+` > :after_key`, Arg("after_key", after.Key))
	}
}
