package neo4j

import (
	"fmt"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// utc is how the driver must be handed times for them to be stored as UTC by offset ("Z") rather than
// by the name of a zone, which Cypher tells apart.
var utc = time.FixedZone("Offset", 0)

func instant(t time.Time) time.Time { return t.In(utc) }

// optionalInstant gives an untyped nil for null, which the driver writes as such.
func optionalInstant(t *time.Time) any {
	if t == nil {
		return nil
	}
	return instant(*t)
}

func instants[T any](records []T, at func(T) time.Time) []any {
	list := make([]any, len(records))
	for i, record := range records {
		list[i] = instant(at(record))
	}
	return list
}

// texts lists a text of each record.
func texts[T any](records []T, text func(T) string) []string {
	list := make([]string, len(records))
	for i, record := range records {
		list[i] = text(record)
	}
	return list
}

// orNothing leaves an empty list out of a node.
func orNothing[T any](list []T) any {
	if len(list) == 0 {
		return nil
	}
	return list
}

// fields reads the properties of a node, or of a map that a query made, and keeps the first fault.
type fields struct {
	node neo4j.Node
	err  error
	// kind and subject name the record that is read, where that is known: what cannot be read is its fault.
	kind    memory.Kind
	subject string
}

// of says which record is read.
func (f *fields) of(kind memory.Kind, key string) { f.kind, f.subject = kind, key }

// key reads the key of the record that is read.
func (f *fields) key(kind memory.Kind) string {
	key := f.text("key")
	f.of(kind, key)
	return key
}

// fieldsOf reads a map.
func fieldsOf(properties map[string]any) *fields {
	return &fields{node: neo4j.Node{Props: properties}}
}

// required reads a property that is there.
func required[T neo4j.PropertyValue](f *fields, name string) T {
	value, err := neo4j.GetProperty[T](f.node, name)
	if err != nil {
		f.fail(name, err)
	}
	return value
}

// optional reads a property; null gives nil.
func optional[T neo4j.PropertyValue](f *fields, name string) *T {
	if f.node.Props[name] == nil {
		return nil
	}
	value := required[T](f, name)
	return &value
}

func (f *fields) fail(name string, err error) {
	if f.err != nil {
		return
	}
	f.err = fmt.Errorf("%s: %w", name, err)
	if f.kind != "" {
		f.err = &store.Damaged{Kind: f.kind, Key: f.subject, Cause: f.err}
	}
}

// check remembers what is wrong with a property that was just read.
func (f *fields) check(name string, err error) {
	if err != nil {
		f.fail(name, err)
	}
}

func (f *fields) text(name string) string          { return required[string](f, name) }
func (f *fields) optionalText(name string) *string { return optional[string](f, name) }
func (f *fields) integer(name string) int          { return int(required[int64](f, name)) }

func (f *fields) optionalInteger(name string) *int {
	n := optional[int64](f, name)
	if n == nil {
		return nil
	}
	return new(int(*n))
}

// count reads a number of records or tokens.
func (f *fields) count(name string) int {
	n := required[int64](f, name)
	f.check(name, memory.CheckKeptCount(n))
	return int(n)
}

func (f *fields) instant(name string) time.Time {
	at := required[time.Time](f, name).UTC()
	f.check(name, memory.CheckKeptTime(at))
	return at
}

func (f *fields) number(name string) float64 {
	x := required[float64](f, name)
	f.check(name, memory.CheckKeptNumber(x))
	return x
}

func (f *fields) optionalNumber(name string) *float64 {
	if f.node.Props[name] == nil {
		return nil
	}
	x := f.number(name)
	return &x
}

// sum is a number of which others are summed up: 0 where it cannot be read.
func (f *fields) sum(name string) float64 {
	x, _ := f.node.Props[name].(float64)
	if memory.CheckKeptNumber(x) != nil {
		return 0
	}
	return x
}

// word reads a word of a closed set.
func word[T interface {
	~string
	Valid() bool
}](f *fields, name string) T {
	word := T(f.text(name))
	f.check(name, memory.CheckKeptWord(word))
	return word
}

func (f *fields) optionalInstant(name string) *time.Time {
	if f.node.Props[name] == nil {
		return nil
	}
	at := f.instant(name)
	return &at
}

// list reads a list of values of one type; null gives an empty list.
func list[T any](f *fields, name string) []T {
	if f.node.Props[name] == nil {
		return []T{}
	}
	values := required[[]any](f, name)
	checked := make([]T, 0, len(values))
	for _, value := range values {
		typed, ok := value.(T)
		if !ok {
			f.fail(name, fmt.Errorf("holds a %T", value))
			break
		}
		checked = append(checked, typed)
	}
	return checked
}

// parallel reads lists that describe the same things; lists of other lengths are a fault.
func parallel[T any](f *fields, name string, length int) []T {
	values := list[T](f, name)
	if len(values) != length {
		f.fail(name, fmt.Errorf("holds %d values where %d were expected", len(values), length))
		return make([]T, length)
	}
	return values
}
