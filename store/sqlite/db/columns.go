package db

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"mneme/memory"
	"mneme/store/fields"
)

// What selects, reads and writes a record goes by the list of its fields, so that a field is added in one place, and
// the order of columns matters nowhere. Statements name a column as the field; the table has it in snake case.

// column is the column that holds a field.
func column(field string) string {
	if field == "user" {
		return "user_id" // as keys and people are named
	}
	var name strings.Builder
	for _, letter := range field {
		if unicode.IsUpper(letter) {
			name.WriteByte('_')
		}
		name.WriteRune(unicode.ToLower(letter))
	}
	return name.String()
}

func joined(list fields.List, text func(fields.Field) string, separator string) string {
	var texts []string
	for _, f := range list.Own() {
		texts = append(texts, text(f))
	}
	return strings.Join(texts, separator)
}

// Selected names columns of a table for a SELECT.
func Selected(table string, lists ...fields.List) string {
	return joined(slices.Concat(lists...), func(f fields.Field) string { return table + "." + column(f.Name) + " AS " + f.Name }, ", ")
}

// Lengths is how many bytes columns have together, none of which is read for it.
func Lengths(table string, list fields.List) string {
	return joined(list, func(f fields.Field) string { return `coalesce(octet_length(` + table + `.` + column(f.Name) + `), 0)` }, ` + `)
}

// Definitions are the columns of fields in a CREATE TABLE.
func Definitions(list fields.List) string {
	return joined(list, func(f fields.Field) string { return column(f.Name) + ` ` + kindOf(f.At) }, ",\n  ")
}

func kindOf(at any) string {
	null := ` NOT NULL`
	if nullable, ok := at.(fields.Nullable); ok {
		at, null = nullable.Of(), ``
	}
	switch at.(type) {
	case *int, *int64, *bool, *time.Time:
		return `INTEGER` + null
	case *float64:
		return `REAL` + null
	case *[]int64, *[]float64:
		return `BLOB NOT NULL`
	case *memory.JSON:
		return `TEXT`
	}
	return `TEXT` + null
}

// Inserting writes a row of a table: the fields of a record, and other columns that are no fields of it.
func Inserting(table string, list fields.List, others ...string) string {
	columns, values := slices.Clone(others), slices.Clone(others)
	for _, f := range list.Own() {
		columns, values = append(columns, column(f.Name)), append(values, f.Name)
	}
	return `INSERT INTO ` + table + ` (` + strings.Join(columns, ", ") + `) VALUES (:` + strings.Join(values, ", :") + `)`
}

// Updating changes fields, and what else is said, in the rows of a table that meet a condition.
func Updating(table string, list fields.List, condition string, others ...string) string {
	return updating(table, list, condition, others, func(f fields.Field) string { return column(f.Name) + ` = :` + f.Name })
}

// Filling is Updating that leaves what is null now.
func Filling(table string, list fields.List, condition string, others ...string) string {
	return updating(table, list, condition, others, func(f fields.Field) string {
		return column(f.Name) + ` = coalesce(:` + f.Name + `, ` + column(f.Name) + `)`
	})
}

func updating(table string, list fields.List, condition string, others []string, change func(fields.Field) string) string {
	changes := append(slices.Clone(others), joined(list, change, ", "))
	return `UPDATE ` + table + ` SET ` + strings.Join(changes, ", ") + ` WHERE ` + condition
}

// Scanner reads the fields of a type of record by name. It fills a record of its own, whose fields it knows, and copies
// it, so that no list is made for each row.
type Scanner[T any] struct{ pool sync.Pool }

type bound[T any] struct {
	record T
	list   fields.List
}

// ScannerOf makes a scanner of the lists of a record's fields.
func ScannerOf[T any](lists ...func(*T) fields.List) *Scanner[T] {
	return &Scanner[T]{sync.Pool{New: func() any {
		b := new(bound[T])
		for _, list := range lists {
			b.list = append(b.list, list(&b.record)...)
		}
		return b
	}}}
}

// Scan leaves what is none of the fields as it is.
func (s *Scanner[T]) Scan(record *T, r *Row) {
	b := s.pool.Get().(*bound[T]) //nolint:forcetypeassert // made just above
	b.record = *record
	for i := range b.list {
		r.find(b.list[i].Name)
		r.decode(b.list[i].At)
	}
	*record, b.record = b.record, *new(T)
	s.pool.Put(b)
}

// Read reads a record of which the fields are all.
func (s *Scanner[T]) Read(r *Row) *T {
	record := new(T)
	s.Scan(record, r)
	return record
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

// decode reads the next column.
func (r *Row) decode(at any) {
	value, err := r.next(), error(nil)
	to := at
	if nullable, ok := at.(fields.Nullable); ok {
		to = nullable.Of()
	}
	switch kept := value.(type) {
	case int64:
		switch to.(type) {
		case *time.Time:
			value = time.UnixMilli(kept)
		case *bool:
			value = kept != 0
		}
	case string:
		if _, ok := to.(*[]string); ok {
			value, err = fields.DecodeList[string](kept)
		}
	case []byte:
		switch to.(type) {
		case *[]int64:
			value, err = unpack[int64](kept)
		case *[]float64:
			value, err = unpack[float64](kept)
		}
	}
	if err == nil {
		err = fields.Set(at, value)
	}
	if key, ok := at.(fields.Key); ok {
		r.Of(key.Kind, *key.At)
	}
	r.Check(err)
}

func encode(at any) (driver.Value, error) {
	value, err := fields.Value(at)
	switch value := value.(type) {
	case time.Time:
		return value.UnixMilli(), err
	case []string:
		return fields.EncodeList(value)
	case []int64, []float64:
		return binary.Append([]byte{}, binary.LittleEndian, value)
	}
	return value, err
}

// unpack reads a list of numbers of 8 bytes each, little-endian.
func unpack[T int64 | float64](packed []byte) ([]T, error) {
	if len(packed)%8 != 0 {
		return nil, fmt.Errorf("has %d bytes", len(packed))
	}
	list := make([]T, len(packed)/8)
	_, err := binary.Decode(packed, binary.LittleEndian, list)
	return list, err
}
