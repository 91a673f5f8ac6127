package sqlite

import (
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"mneme/memory"
)

// column is a column of a table with the field of a record that it holds. The columns of a record are listed once,
// by a function of the record: what selects, reads and writes it goes by that list, so that a field is added in one
// place, and the order of columns matters nowhere.
type column struct {
	name  string
	field any // a pointer; its type says how the field is kept, or it is an encoded
}

// encoded is a field that is kept in a form that its type does not tell.
type encoded interface {
	encode() (driver.Value, error)
	decode(r *row)
}

// vocabulary is a field that holds a word of a closed set.
type vocabulary[T interface {
	~string
	Valid() bool
}] struct{ field *T }

func oneOf[T interface {
	~string
	Valid() bool
}](field *T) vocabulary[T] {
	return vocabulary[T]{field}
}

func (v vocabulary[T]) encode() (driver.Value, error) { return string(*v.field), nil }
func (v vocabulary[T]) decode(r *row)                 { *v.field = word[T](r) }

// jsonList is a list that is kept as JSON.
type jsonList[T any] struct{ field *[]T }

func listIn[T any](field *[]T) jsonList[T] { return jsonList[T]{field} }

func (l jsonList[T]) encode() (driver.Value, error) { return encodeList(*l.field) }
func (l jsonList[T]) decode(r *row)                 { *l.field = listOf[T](r) }

// selected names columns of a table for a SELECT.
func selected(table string, columns []column) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = table + "." + c.name + " AS " + c.name
	}
	return strings.Join(names, ", ")
}

// inserting writes a row of a table: the columns of a record, and others that are no fields of it.
func inserting(table string, columns []column, others ...string) string {
	names := slices.Clone(others)
	for _, c := range columns {
		names = append(names, c.name)
	}
	return `INSERT INTO ` + table + ` (` + strings.Join(names, ", ") + `) VALUES (:` + strings.Join(names, ", :") + `)`
}

// updating changes columns in the rows of a table that meet a condition.
func updating(table string, columns []column, condition string) string {
	changes := make([]string, len(columns))
	for i, c := range columns {
		changes[i] = c.name + ` = :` + c.name
	}
	return `UPDATE ` + table + ` SET ` + strings.Join(changes, ", ") + ` WHERE ` + condition
}

// put runs what inserting or updating made.
func (c *conn) put(statement string, columns []column, others ...driver.NamedValue) error {
	args := slices.Grow(others, len(columns))
	for _, column := range columns {
		value, err := encodeField(column.field)
		if err != nil {
			return fmt.Errorf("sqlite: column %s: %w", column.name, err)
		}
		args = append(args, arg(column.name, value))
	}
	return c.exec(statement, args...)
}

// scanner reads the columns of a type of record by name. It fills a record of its own, whose columns it knows, and
// copies it, so that no list is made for each row.
type scanner[T any] struct{ pool sync.Pool }

type bound[T any] struct {
	record  T
	columns []column
}

func scannerOf[T any](lists ...func(*T) []column) *scanner[T] {
	return &scanner[T]{sync.Pool{New: func() any {
		b := new(bound[T])
		for _, list := range lists {
			b.columns = append(b.columns, list(&b.record)...)
		}
		return b
	}}}
}

// scan leaves fields that are no columns as they are.
func (s *scanner[T]) scan(record *T, r *row) {
	b := s.pool.Get().(*bound[T]) //nolint:forcetypeassert // made just above
	b.record = *record
	for i := range b.columns {
		r.find(b.columns[i].name)
		r.decode(b.columns[i].field)
	}
	*record, b.record = b.record, *new(T)
	s.pool.Put(b)
}

// find makes a column the next to be read. Most often it is that already.
func (r *row) find(name string) {
	if r.column < len(r.names) && r.names[r.column] == name {
		return
	}
	if r.column = slices.Index(r.names, name); r.column < 0 {
		r.column = len(r.names)
		r.fail("there is no column %s", name)
	}
}

func (r *row) decode(field any) {
	switch f := field.(type) {
	case *string:
		*f = r.text()
	case **string:
		*f = r.optionalText()
	case *int:
		*f = r.count()
	case **int:
		*f = r.optionalInt()
	case *float64:
		*f = r.float()
	case **float64:
		*f = r.optionalFloat()
	case *bool:
		*f = r.bool()
	case **bool:
		*f = r.optionalBool()
	case *time.Time:
		*f = r.time()
	case **time.Time:
		*f = r.optionalTime()
	case *memory.JSON:
		*f = r.json()
	case encoded:
		f.decode(r)
	default:
		r.fail("nothing is known of a %T", field)
	}
}

func encodeField(field any) (driver.Value, error) {
	switch f := field.(type) {
	case *string:
		return *f, nil
	case **string:
		return driverValue(*f), nil
	case *int:
		return driverValue(*f), nil
	case **int:
		return driverValue(*f), nil
	case *float64:
		return *f, nil
	case **float64:
		return driverValue(*f), nil
	case *bool:
		return *f, nil
	case **bool:
		return deref(*f), nil
	case *time.Time:
		return driverValue(*f), nil
	case **time.Time:
		return driverValue(*f), nil
	case *memory.JSON:
		return driverValue(*f), nil
	case encoded:
		return f.encode()
	}
	return nil, fmt.Errorf("nothing is known of a %T", field)
}
