package sqlite

import (
	"database/sql/driver"
	"fmt"
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

// row reads the columns of a row one after the other. What does not fit is remembered as an error,
// which ends the query.
type row struct {
	values []driver.Value
	column int
	part   bool // of the record of an earlier row
	err    error
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
		r.fail("column %d is a %T", r.column-1, column)
	}
	return value, present
}

func optional[T any](r *row) *T {
	if value, present := read[T](r); present {
		return &value
	}
	return nil
}

func (r *row) text() string {
	text, _ := read[string](r)
	return text
}

func (r *row) integer() int64 {
	n, _ := read[int64](r)
	return n
}

func (r *row) int() int { return int(r.integer()) }

func (r *row) bool() bool { return r.integer() != 0 }

func (r *row) float() float64 {
	f, _ := read[float64](r)
	return f
}

func (r *row) blob() []byte {
	b, _ := read[[]byte](r)
	return b
}

func (r *row) time() time.Time { return time.UnixMilli(r.integer()).UTC() }

func (r *row) json() memory.JSON {
	if text, present := read[string](r); present {
		return memory.JSON(text)
	}
	return nil
}

func (r *row) optionalText() *string { return optional[string](r) }

func (r *row) optionalFloat() *float64 { return optional[float64](r) }

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
	return &t
}

func (r *row) skip(columns int) { r.column += columns }
