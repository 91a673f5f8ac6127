package bolt

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/neo4j/cypher"
)

// utc is how the driver must be handed times for them to be stored as UTC by offset ("Z") rather than
// by the name of a zone, which Cypher tells apart.
var utc = time.FixedZone("Offset", 0)

// Instant is a time as the driver stores it by offset.
func Instant(t time.Time) time.Time { return t.In(utc) }

// OptionalInstant gives an untyped nil for null, which the driver writes as such.
func OptionalInstant(t *time.Time) any {
	if t == nil {
		return nil
	}
	return Instant(*t)
}

// Fields reads a row, a node, or a map that a query made, and keeps the first fault.
type Fields struct {
	Node neo4j.Node
	Err  error
	left []*store.Damaged // what else cannot be read, and is left out
	// Kind and subject name the record that is read, where that is known: what cannot be read is its fault.
	Kind    memory.Kind
	Subject string
	inLog   bool
}

// Of says which record is read.
func (f *Fields) Of(kind memory.Kind, key string) { f.Kind, f.Subject, f.inLog = kind, key, false }

// OfEvent says that an event of an episode's log is read, which came in parts.
func (f *Fields) OfEvent(episode string) {
	f.Kind, f.Subject, f.inLog = memory.KindEpisode, episode, true
}

// Key reads the key of the record that is read.
func (f *Fields) Key(kind memory.Kind) string {
	key := f.Text("key")
	f.Of(kind, key)
	return key
}

// FieldsOf reads a map.
func FieldsOf(properties map[string]any) *Fields {
	return &Fields{Node: neo4j.Node{Props: properties}}
}

// Required reads a property that is there.
func Required[T any](f *Fields, name string) (value T) {
	f.Check(name, fields.Set(&value, f.Node.Props[name]))
	return value
}

// Optional reads a property; null gives nil.
func Optional[T any](f *Fields, name string) (value *T) {
	f.Check(name, fields.Set(fields.Null(&value), f.Node.Props[name]))
	return value
}

// Check remembers what is wrong with a property, where it is the first; nil for nothing.
func (f *Fields) Check(name string, err error) {
	if f.Err != nil || err == nil {
		return
	}
	f.Err = fmt.Errorf("%s: %w", name, err)
	if f.Kind != "" {
		f.Err = &store.Damaged{Kind: f.Kind, Key: f.Subject, InLog: f.inLog, Cause: f.Err}
	}
}

// Text reads a text that is there.
func (f *Fields) Text(name string) string { return Required[string](f, name) }

// OptionalText reads a text, nil for null.
func (f *Fields) OptionalText(name string) *string { return Optional[string](f, name) }

// Integer reads a whole number that is there.
func (f *Fields) Integer(name string) int { return int(Required[int64](f, name)) }

// Instant reads a time that is there, in UTC; one that no record may have is a fault.
func (f *Fields) Instant(name string) time.Time { return Required[time.Time](f, name) }

// OptionalInstant reads a time, nil for null.
func (f *Fields) OptionalInstant(name string) *time.Time { return Optional[time.Time](f, name) }

// Sum is a number of which others are summed up: 0 where it cannot be read.
func (f *Fields) Sum(name string) float64 {
	x, _ := f.Node.Props[name].(float64)
	if memory.CheckKeptNumber(x) != nil {
		return 0
	}
	return x
}

// Word reads a word of a closed set.
func Word[T fields.OneOf](f *Fields, name string) (word T) {
	f.Check(name, fields.Set(fields.Word(&word), f.Node.Props[name]))
	return word
}

// List reads a list of values of one type; null gives an empty list.
func List[T any](f *Fields, name string) []T {
	list, err := fields.ListOf[T](f.Node.Props[name])
	f.Check(name, err)
	return list
}

// Parallel reads lists that describe the same things; lists of other lengths are a fault.
func Parallel[T any](f *Fields, name string, length int) []T {
	values := List[T](f, name)
	if len(values) != length {
		f.Check(name, fmt.Errorf("holds %d values where %d were expected", len(values), length))
		return make([]T, length)
	}
	return values
}

// Pairs reads a list of pairs of texts as a map, the last of equals; pairs with a null are left out.
func (f *Fields) Pairs(name string) map[string]string {
	pairs := map[string]string{}
	for _, pair := range List[[]any](f, name) {
		if slices.Contains(pair, nil) {
			continue
		}
		texts := List[string](FieldsOf(cypher.Parameters{name: pair}), name)
		if len(texts) != 2 {
			f.Check(name, fmt.Errorf("holds %v", pair))
			break
		}
		pairs[texts[0]] = texts[1]
	}
	return pairs
}

// Times reads a list of pairs of a text and a time as a map. A pair of other values is left out: it is of a record that
// is damaged, and reading that tells of it. What is no list of pairs is a fault of the query, not of what is stored.
func (f *Fields) Times(name string) map[string]time.Time {
	times := map[string]time.Time{}
	for _, pair := range List[[]any](f, name) {
		if len(pair) != 2 {
			f.Check(name, fmt.Errorf("holds %v", pair))
			break
		}
		key, named := pair[0].(string)
		at, timed := pair[1].(time.Time)
		if named && timed {
			times[key] = at.UTC()
		}
	}
	return times
}

// JSON reads a property that holds JSON, nil for null.
func (f *Fields) JSON(name string) memory.JSON { return Required[memory.JSON](f, name) }

// within are the fields of a node, or of a map that a query made.
func within(value any) *Fields {
	switch value := value.(type) {
	case neo4j.Node:
		return &Fields{Node: value}
	case map[string]any:
		return FieldsOf(value)
	}
	return &Fields{Err: fmt.Errorf("a %T is read as a record", value)}
}

// LeaveOut says whether the record that is read has a fault, which is told of as of one that is left out of the row.
func (f *Fields) LeaveOut() bool {
	damaged, is := errors.AsType[*store.Damaged](f.Err)
	if is {
		f.Err, f.left = nil, append(f.left, damaged)
	}
	return is
}

// Fault is the first thing that is wrong.
func (f *Fields) Fault() error {
	if f.Err == nil && len(f.left) > 0 {
		return f.left[0]
	}
	return f.Err
}

// In reads a column that holds a node, or a map that a query made.
func In[T any](row *Fields, name string, decode Decoder[T]) T {
	f := within(row.Node.Props[name])
	value := decode(f)
	row.Err, row.left = cmp.Or(row.Err, f.Err), append(row.left, f.left...)
	return value
}

// All reads a column that lists nodes or maps, but for records that cannot be read.
func All[T any](row *Fields, name string, decode Decoder[T]) []T {
	values := List[any](row, name)
	records := make([]T, 0, len(values))
	for _, value := range values {
		f := within(value)
		record := decode(f)
		if !f.LeaveOut() {
			records = append(records, record)
		}
		row.Err, row.left = cmp.Or(row.Err, f.Err), append(row.left, f.left...)
	}
	return records
}
