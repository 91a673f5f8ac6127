package db

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"mneme/memory"
)

// Columns are columns of a table, each with the field of a record that it holds. The columns of a record are listed once,
// by a function of the record: what selects, reads and writes it goes by that list, so that a field is added in one
// place, and the order of columns matters nowhere.
type Columns []struct {
	Name  string
	Field any // a pointer; its type says how the field is kept, or it is an encoded
}

// encoded is a field that is kept in a form that its type does not tell.
type encoded interface {
	encode() (driver.Value, error)
	decode(r *Row)
}

// vocabulary is a field that holds a word of a closed set.
type vocabulary[T interface {
	~string
	Valid() bool
}] struct{ field *T }

// OneOf is a field that holds a word of a closed set.
func OneOf[T interface {
	~string
	Valid() bool
}](field *T) any {
	return vocabulary[T]{field}
}

func (v vocabulary[T]) encode() (driver.Value, error) { return string(*v.field), nil }

func (v vocabulary[T]) decode(r *Row) { *v.field = Word[T](r) }

// jsonList is a list that is kept as JSON.
type jsonList[T any] struct{ field *[]T }

// ListIn is a field that holds a list, which is kept as JSON.
func ListIn[T any](field *[]T) any { return jsonList[T]{field} }

func (l jsonList[T]) encode() (driver.Value, error) { return EncodeList(*l.field) }

func (l jsonList[T]) decode(r *Row) { *l.field = ListOf[T](r) }

// packed is a list of numbers of 8 bytes each, little-endian.
type packed[T int64 | float64] struct{ field *[]T }

// PackedIn is a field that holds a list of numbers, which is kept packed.
func PackedIn[T int64 | float64](field *[]T) any { return packed[T]{field} }

func (p packed[T]) encode() (driver.Value, error) {
	return binary.Append([]byte{}, binary.LittleEndian, *p.field)
}

func (p packed[T]) decode(r *Row) {
	bytes := r.Blob()
	if len(bytes)%8 != 0 {
		r.Fail("column %s has %d bytes", r.last(), len(bytes))
		return
	}
	*p.field = make([]T, len(bytes)/8)
	_, err := binary.Decode(bytes, binary.LittleEndian, *p.field)
	r.Check(err)
}

// Selected names columns of a table for a SELECT.
func Selected(table string, columns Columns) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = table + "." + c.Name + " AS " + c.Name
	}
	return strings.Join(names, ", ")
}

// Inserting writes a row of a table: the columns of a record, and others that are no fields of it.
func Inserting(table string, columns Columns, others ...string) string {
	names := slices.Clone(others)
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return `INSERT INTO ` + table + ` (` + strings.Join(names, ", ") + `) VALUES (:` + strings.Join(names, ", :") + `)`
}

// Updating changes columns in the rows of a table that meet a condition.
func Updating(table string, columns Columns, condition string) string {
	changes := make([]string, len(columns))
	for i, c := range columns {
		changes[i] = c.Name + ` = :` + c.Name
	}
	return `UPDATE ` + table + ` SET ` + strings.Join(changes, ", ") + ` WHERE ` + condition
}

// put runs what Inserting or Updating made.
func (c *Conn) put(statement string, columns Columns, others ...driver.NamedValue) error {
	args := slices.Grow(others, len(columns))
	for _, column := range columns {
		value, err := encodeField(column.Field)
		if err != nil {
			return fmt.Errorf("sqlite: column %s: %w", column.Name, err)
		}
		args = append(args, Arg(column.Name, value))
	}
	return c.Exec(statement, args...)
}

// Scanner reads the columns of a type of record by name. It fills a record of its own, whose columns it knows, and
// copies it, so that no list is made for each row.
type Scanner[T any] struct{ pool sync.Pool }

type bound[T any] struct {
	record  T
	columns Columns
}

// ScannerOf makes a scanner of the lists of a record's columns.
func ScannerOf[T any](lists ...func(*T) Columns) *Scanner[T] {
	return &Scanner[T]{sync.Pool{New: func() any {
		b := new(bound[T])
		for _, list := range lists {
			b.columns = append(b.columns, list(&b.record)...)
		}
		return b
	}}}
}

// Scan leaves fields that are no columns as they are.
func (s *Scanner[T]) Scan(record *T, r *Row) {
	b := s.pool.Get().(*bound[T]) //nolint:forcetypeassert // made just above
	b.record = *record
	for i := range b.columns {
		r.find(b.columns[i].Name)
		r.decode(b.columns[i].Field)
	}
	*record, b.record = b.record, *new(T)
	s.pool.Put(b)
}

// find makes a column the next to be read. Most often it is that already.
func (r *Row) find(name string) {
	if r.Column < len(r.names) && r.names[r.Column] == name {
		return
	}
	if r.Column = slices.Index(r.names, name); r.Column < 0 {
		r.Column = len(r.names)
		r.Fail("there is no column %s", name)
	}
}

func (r *Row) decode(field any) {
	switch f := field.(type) {
	case *string:
		*f = r.Text()
	case **string:
		*f = r.OptionalText()
	case *int:
		*f = r.Count()
	case *int64:
		*f = r.Integer()
	case **int:
		*f = optional(r, (*Row).Int)
	case *float64:
		*f = r.Float()
	case **float64:
		*f = r.OptionalFloat()
	case *bool:
		*f = r.Bool()
	case **bool:
		*f = optional(r, (*Row).Bool)
	case *time.Time:
		*f = r.Time()
	case **time.Time:
		*f = r.OptionalTime()
	case *memory.JSON:
		*f = r.JSON()
	case encoded:
		f.decode(r)
	default:
		r.Fail("nothing is known of a %T", field)
	}
}

func encodeField(field any) (driver.Value, error) {
	if f, ok := field.(encoded); ok {
		return f.encode()
	}
	return driverValue(reflect.ValueOf(field).Elem().Interface()), nil
}
