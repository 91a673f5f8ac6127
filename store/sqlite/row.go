package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
)

// arg is a named parameter. Pointers are null where they are nil; times are milliseconds.
func arg(name string, value any) driver.NamedValue {
	return driver.NamedValue{Name: name, Value: driverValue(value)}
}

func driverValue(value any) driver.Value {
	switch v := value.(type) {
	case int:
		return int64(v)
	case time.Time:
		return v.UnixMilli()
	case memory.JSON:
		return optionalText(v)
	case *string:
		return deref(v)
	case *int:
		if v == nil {
			return nil
		}
		return int64(*v)
	case *float64:
		return deref(v)
	case *time.Time:
		if v == nil {
			return nil
		}
		return v.UnixMilli()
	}
	return value
}

func deref[T any](pointer *T) driver.Value {
	if pointer == nil {
		return nil
	}
	return *pointer
}

func optionalText(text []byte) driver.Value {
	if len(text) == 0 {
		return nil
	}
	return string(text)
}

// row reads the columns of a row one after the other, or those of a record by name (see scanner).
// What does not fit is remembered as an error, which ends the query, or takes the record out of what is read (see keep).
type row struct {
	conn   *conn
	names  []string // of the columns
	values []driver.Value
	column int
	part   bool // of the record of an earlier row
	err    error
	// kind and subject name the record that the row is of, where that is known.
	kind    memory.Kind
	subject string
}

// of says of which record the row is: what cannot be read in it is that record's fault.
func (r *row) of(kind memory.Kind, key string) { r.kind, r.subject = kind, key }

// key reads the key of the record that the row is of.
func (r *row) key(kind memory.Kind) string {
	key := r.text()
	r.of(kind, key)
	return key
}

// fault is what is wrong with the row, with the record whose fault it is where that is known.
func (r *row) fault() error {
	if r.err == nil || r.kind == "" {
		return r.err
	}
	return &store.Damaged{Kind: r.kind, Key: r.subject, Cause: r.err}
}

// damaged says whether the row is of a record that cannot be read, and tells of it. Among writes nobody can do
// without it: there the fault stays one of the query.
func (r *row) damaged() bool {
	if r.conn.reads == nil || !r.dispensable(r.conn.reads) {
		return false
	}
	r.conn.left++
	return true
}

// dispensable is damaged for a write that can do without the record.
func (r *row) dispensable(ctx context.Context) bool {
	damage, is := r.fault().(*store.Damaged) //nolint:errorlint // made just above
	if is {
		store.NoteDamage(ctx, damage)
		r.err = nil
	}
	return is
}

// unreadable says whether a row that sums up records cannot be read, which is then left out: reading the records
// tells of it.
func (r *row) unreadable() bool {
	is := r.err != nil
	r.err = nil
	return is
}

// keep adds what a row says to a list, unless that cannot be read.
func keep[T any](r *row, list []T, record T) []T {
	if r.damaged() {
		return list
	}
	return append(list, record)
}

// charge counts the row where it is read for a request.
func (r *row) charge(budget *store.Budget) error {
	if budget == nil {
		return nil
	}
	records := int64(1)
	if r.part {
		records = 0
	}
	var texts store.Texts
	for _, value := range r.values {
		if text, ok := value.(string); ok {
			texts.Add(text)
		}
	}
	return budget.Read(records, texts)
}

// named is the value of a column by its name, whatever was read before; nil for none.
func (r *row) named(name string) driver.Value {
	if at := slices.Index(r.names, name); at >= 0 {
		return r.values[at]
	}
	return nil
}

func (r *row) next() driver.Value {
	if r.column >= len(r.values) {
		r.fail("there is no column %d", r.column)
		return nil
	}
	value := r.values[r.column]
	r.column++
	return value
}

func (r *row) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("sqlite: "+format, args...)
	}
}

// read gives the next column, which must be of a type; null is the zero value.
func read[T any](r *row) (value T, present bool) {
	column := r.next()
	if column == nil {
		return value, false
	}
	value, present = column.(T)
	if !present {
		r.fail("column %s is a %T", r.last(), column)
	}
	return value, present
}

func optional[T any](r *row) *T {
	value, present := read[T](r)
	if !present {
		return nil
	}
	return new(value) // here, so that null takes no memory
}

// check remembers what is wrong with the column that was just read.
func (r *row) check(err error) {
	if err != nil {
		r.fail("column %s %w", r.last(), err)
	}
}

// last is the name of the column that was just read.
func (r *row) last() string {
	if r.column < 1 || r.column > len(r.names) {
		return ""
	}
	return r.names[r.column-1]
}

func (r *row) text() string {
	text, _ := read[string](r)
	r.check(memory.CheckKeptText(text))
	return text
}

// word reads a word of a closed set.
func word[T interface {
	~string
	Valid() bool
}](r *row) T {
	word := T(r.text())
	r.check(memory.CheckKeptWord(word))
	return word
}

func (r *row) integer() int64 {
	n, _ := read[int64](r)
	return n
}

func (r *row) int() int { return int(r.integer()) }

// count reads a number of records or tokens.
func (r *row) count() int {
	n := r.integer()
	r.check(memory.CheckKeptCount(n))
	return int(n)
}

func (r *row) bool() bool { return r.integer() != 0 }

// sum is a number that is summed up of others, and which the examination sums up again: 0 where it cannot be read.
func (r *row) sum() float64 {
	f, _ := read[float64](r)
	if memory.CheckKeptNumber(f) != nil {
		return 0
	}
	return f
}

func (r *row) float() float64 {
	f, _ := read[float64](r)
	r.check(memory.CheckKeptNumber(f))
	return f
}

func (r *row) blob() []byte {
	b, _ := read[[]byte](r)
	return b
}

// anyTime is a time that is only compared or kept again, never shown: also one that another program wrote.
func (r *row) anyTime() time.Time { return time.UnixMilli(r.integer()).UTC() }

func (r *row) time() time.Time {
	at := r.anyTime()
	r.check(memory.CheckKeptTime(at))
	return at
}

func (r *row) json() memory.JSON {
	if text, present := read[string](r); present {
		r.check(memory.CheckKeptJSON(memory.JSON(text)))
		return memory.JSON(text)
	}
	return nil
}

func (r *row) optionalText() *string {
	text := optional[string](r)
	if text != nil {
		r.check(memory.CheckKeptText(*text))
	}
	return text
}

func (r *row) optionalFloat() *float64 {
	f := optional[float64](r)
	if f != nil {
		r.check(memory.CheckKeptNumber(*f))
	}
	return f
}

func (r *row) optionalInt() *int {
	n, present := read[int64](r)
	if !present {
		return nil
	}
	i := int(n)
	return &i
}

func (r *row) optionalBool() *bool {
	n, present := read[int64](r)
	if !present {
		return nil
	}
	b := n != 0
	return &b
}

func (r *row) optionalTime() *time.Time {
	ms, present := read[int64](r)
	if !present {
		return nil
	}
	t := time.UnixMilli(ms).UTC()
	r.check(memory.CheckKeptTime(t))
	return &t
}
