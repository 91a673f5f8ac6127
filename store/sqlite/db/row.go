package db

import (
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
)

// Arg is a named parameter. Pointers, which may be to words, are null where they are nil, as is empty JSON; bytes never
// are. Times are milliseconds.
func Arg(name string, value any) driver.NamedValue {
	if pointer := reflect.ValueOf(value); pointer.Kind() == reflect.Pointer {
		switch held := pointer.Elem(); held.Kind() {
		case reflect.Invalid:
			value = nil
		case reflect.String:
			value = held.String()
		default:
			value = held.Interface()
		}
	}
	switch v := value.(type) {
	case int:
		value = int64(v)
	case time.Time:
		value = v.UnixMilli()
	case []byte:
		if v == nil {
			value = []byte{}
		}
	case memory.JSON:
		if value = nil; len(v) > 0 {
			value = string(v)
		}
	}
	return driver.NamedValue{Name: name, Value: value}
}

// Row reads the columns of a row one after the other, or those of a record by name (see Scanner). What does not fit is
// remembered as an error, which ends the query, or takes the record out of what is read (see Keep).
type Row struct {
	Conn   *Conn
	names  []string // of the columns
	Values []driver.Value
	Column int
	Part   bool // of the record of an earlier row
	Err    error
	stop   error // ends the query, and is not the row's
	// kind and subject name the record that the row is of, where that is known.
	kind    memory.Kind
	subject string
	inLog   bool
}

// Stop ends the query with an error that is not the row's; nil does nothing.
func (r *Row) Stop(err error) { r.stop = err }

// Of says of which record the row is: what cannot be read in it is that record's fault.
func (r *Row) Of(kind memory.Kind, key string) { r.kind, r.subject, r.inLog = kind, key, false }

// OfEvent says that the rest of the row is of an event of an episode's log, which came in parts.
func (r *Row) OfEvent(episode string) { r.kind, r.subject, r.inLog = memory.KindEpisode, episode, true }

// Key reads the key of the record that the row is of.
func (r *Row) Key(kind memory.Kind) string {
	key := r.Text()
	r.Of(kind, key)
	return key
}

// Fault is what is wrong with the row, with the record whose fault it is where that is known.
func (r *Row) Fault() error {
	if r.Err == nil || r.kind == "" {
		return r.Err
	}
	return &store.Damaged{Kind: r.kind, Key: r.subject, InLog: r.inLog, Cause: r.Err}
}

// Damaged says whether the row is of a record that cannot be read, and tells of it. Among writes nobody can do
// without it: there the fault stays one of the query.
func (r *Row) Damaged() bool {
	if r.Conn.Reads == nil || !r.Dispensable(r.Conn.Reads) {
		return false
	}
	r.Conn.Left++
	return true
}

// Dispensable is Damaged for a write that can do without the record.
func (r *Row) Dispensable(ctx context.Context) bool {
	damage, ok := r.Fault().(*store.Damaged) //nolint:errorlint // made just above
	if ok {
		store.NoteDamage(ctx, damage)
		r.Err = nil
	}
	return ok
}

// Unreadable says whether a row that sums up records cannot be read, which is then left out: reading the records
// tells of it.
func (r *Row) Unreadable() bool {
	is := r.Err != nil
	r.Err = nil
	return is
}

// Keep adds what a row says to a list, unless that cannot be read.
func Keep[T any](r *Row, list []T, record T) []T {
	if r.Damaged() {
		return list
	}
	return append(list, record)
}

// All reads the rows of a short query, but for those that cannot be read.
func All[T any](c *Conn, sql string, read func(*Row) T, args ...driver.NamedValue) ([]T, error) {
	return AllWithin(context.Background(), c, sql, read, args...)
}

// AllWithin is All for statements that may run long: the end of the context ends them.
func AllWithin[T any](ctx context.Context, c *Conn, sql string, read func(*Row) T, args ...driver.NamedValue) ([]T, error) {
	found := []T{}
	err := c.Search(ctx, sql, func(r *Row) {
		found = Keep(r, found, read(r))
	}, args...)
	return found, err
}

// charge counts the row where it is read for a request.
func (r *Row) charge(budget *store.Budget) error {
	if budget == nil {
		return nil
	}
	records := int64(1)
	if r.Part {
		records = 0
	}
	var texts store.Texts
	for _, value := range r.Values {
		if text, ok := value.(string); ok {
			texts.Add(text)
		}
	}
	return budget.Read(records, texts)
}

// Named is the value of a column by its name, whatever was read before; nil for none.
func (r *Row) Named(name string) driver.Value {
	if at := slices.Index(r.names, name); at >= 0 {
		return r.Values[at]
	}
	return nil
}

func (r *Row) next() driver.Value {
	if r.Column >= len(r.Values) {
		r.Fail("there is no column %d", r.Column)
		return nil
	}
	value := r.Values[r.Column]
	r.Column++
	return value
}

// Fail remembers what is wrong with the row, if nothing was before.
func (r *Row) Fail(format string, args ...any) {
	if r.Err == nil {
		r.Err = fmt.Errorf("sqlite: "+format, args...)
	}
}

// Read gives the next column, which must be of a type; null is the zero value.
func Read[T any](r *Row) (value T, present bool) {
	column := r.next()
	if column == nil {
		return value, false
	}
	value, present = column.(T)
	if !present {
		r.Fail("column %s is a %T", r.last(), column)
	}
	return value, present
}

// optional reads the next column, nil where it is null.
func optional[T any](r *Row, read func(*Row) T) *T {
	if r.Column < len(r.Values) && r.Values[r.Column] == nil {
		r.Column++
		return nil
	}
	return new(read(r)) // here, so that null takes no memory
}

// Check remembers what is wrong with the column that was just read.
func (r *Row) Check(err error) {
	if err != nil {
		r.Fail("column %s %w", r.last(), err)
	}
}

// last is the name of the column that was just read.
func (r *Row) last() string {
	if r.Column < 1 || r.Column > len(r.names) {
		return ""
	}
	return r.names[r.Column-1]
}

// Text reads a text that mneme could have kept.
func (r *Row) Text() string {
	text, _ := Read[string](r)
	r.Check(memory.CheckKeptText(text))
	return text
}

// AnyText reads a text as it is, damaged or not.
func (r *Row) AnyText() string {
	text, _ := Read[string](r)
	return text
}

// Word reads a word of a closed set.
func Word[T fields.OneOf](r *Row) T {
	word := T(r.Text())
	r.Check(memory.CheckKeptWord(word))
	return word
}

// Integer reads a whole number; null is 0.
func (r *Row) Integer() int64 {
	n, _ := Read[int64](r)
	return n
}

// Int is Integer for what fits an int.
func (r *Row) Int() int { return int(r.Integer()) }

// Bool reads a truth value, which is kept as a number.
func (r *Row) Bool() bool { return r.Integer() != 0 }

// Sum is a number that is summed up of others, and which the examination sums up again: 0 where it cannot be read.
func (r *Row) Sum() float64 {
	f, _ := Read[float64](r)
	if memory.CheckKeptNumber(f) != nil {
		return 0
	}
	return f
}

// Float reads a number that mneme could have kept.
func (r *Row) Float() float64 {
	f, _ := Read[float64](r)
	r.Check(memory.CheckKeptNumber(f))
	return f
}

// Blob reads bytes, nil where there are none.
func (r *Row) Blob() []byte {
	b, _ := Read[[]byte](r)
	if len(b) == 0 {
		return nil
	}
	return b
}

// AnyTime is a time that is only compared or kept again, never shown: also one that another program wrote.
func (r *Row) AnyTime() time.Time { return time.UnixMilli(r.Integer()).UTC() }

// Time reads a time that mneme could have kept.
func (r *Row) Time() time.Time {
	at := r.AnyTime()
	r.Check(memory.CheckKeptTime(at))
	return at
}

// OptionalText is Text, with nil for null.
func (r *Row) OptionalText() *string { return optional(r, (*Row).Text) }

// OptionalFloat is Float, with nil for null.
func (r *Row) OptionalFloat() *float64 { return optional(r, (*Row).Float) }

// OptionalTime is Time, with nil for null.
func (r *Row) OptionalTime() *time.Time { return optional(r, (*Row).Time) }

// List is a list as a parameter for json_each; nil is null.
func List[T string | int64 | []int64 | [2]string](name string, list []T) driver.NamedValue {
	if list == nil {
		return Arg(name, nil)
	}
	text, _ := json.Marshal(list) // these types never fail
	return Arg(name, string(text))
}

// ListOf reads a column that holds a list.
func ListOf[T any](r *Row) []T {
	list, err := fields.DecodeList[T](r.Text())
	if err != nil {
		r.Fail("column %s: %w", r.last(), err)
	}
	return list
}

// Distinct sorts keys and keeps each once. It is never nil.
func Distinct[T cmp.Ordered](keys []T) []T {
	sorted := append([]T{}, keys...)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}
