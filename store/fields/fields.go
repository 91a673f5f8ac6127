// Package fields describes what is stored of each record: a name and a pointer for each field. Both stores write and
// read records by it, so that a field is added in one place.
package fields

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"mneme/memory"
)

// Field is a stored field of a record.
type Field struct {
	Name string // of the property on Neo4j; the column in SQLite is its snake case
	At   any    // a pointer, whose type says how the field is kept, or a Nullable, a Text or Rows
}

// List are the fields of a record, or a part of them that is written together.
type List []Field

// Names are those of the properties that hold the fields on Neo4j.
func (l List) Names() (names []string) {
	for _, f := range l {
		if rows, ok := f.At.(Rows); ok {
			names = append(names, rows.Names()...)
		} else {
			names = append(names, f.Name)
		}
	}
	return names
}

// Link is a field with the key of another record. SQLite reads it from the link between them; Neo4j also stores it.
type Link struct{ At any }

// Key is a field with the record's own key. It comes first, so that errors in other fields can say whose they are.
type Key struct {
	Kind memory.Kind
	At   *string
}

// Own are the fields that are neither the key nor a link.
func (l List) Own() List {
	return slices.DeleteFunc(slices.Clone(l), func(f Field) bool { return !f.IsOwn() })
}

// IsOwn says whether the field is neither the key nor a link.
func (f *Field) IsOwn() bool {
	switch f.At.(type) {
	case Key, Link:
		return false
	}
	return true
}

// Text is a field that is kept as a text in a way that its type does not tell.
type Text interface {
	Encode() (string, error)
	Decode(text string) error
}

// checked is a Text that can be read and be wrong all the same.
type checked interface{ check(name string) error }

// OneOf are the types of words of closed sets.
type OneOf interface {
	~string
	Valid() bool
}

type word[T OneOf] struct{ at *T }

// Word is a field that holds a word of a closed set.
func Word[T OneOf](at *T) Text { return word[T]{at} }

func (w word[T]) Encode() (string, error) { return string(*w.at), nil }

func (w word[T]) Decode(text string) error {
	*w.at = T(text)
	return memory.CheckKeptWord(*w.at)
}

func (w word[T]) check(name string) error {
	if !(*w.at).Valid() {
		return memory.Invalid(name, "is no word of the schema")
	}
	return nil
}

// JSON is a list that is kept as JSON.
type JSON interface {
	Text
	Len() int
}

type jsonList[T any] struct{ at *[]T }

// JSONIn is a field that holds a list, which is kept as JSON.
func JSONIn[T any](at *[]T) JSON { return jsonList[T]{at} }

func (l jsonList[T]) Len() int { return len(*l.at) }

func (l jsonList[T]) Encode() (string, error) { return EncodeList(*l.at) }

func (l jsonList[T]) Decode(text string) (err error) {
	*l.at, err = DecodeList[T](text)
	return err
}

// EmptyList is an empty list as it is kept. Most are empty, which needs no decoder.
const EmptyList = "[]"

// EncodeList writes a list; nil is empty. JSON within it stays as it is, byte for byte.
func EncodeList[T any](list []T) (string, error) {
	if len(list) == 0 {
		return EmptyList, nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(list)
	return string(bytes.TrimSuffix(text.Bytes(), []byte("\n"))), err
}

// DecodeList reads what EncodeList wrote.
func DecodeList[T any](text string) ([]T, error) {
	list := []T{}
	if text == EmptyList {
		return list, nil
	}
	if err := memory.KeptJSON.Check("", []byte(text)); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, err
	}
	if list == nil {
		return nil, errors.New("is no list")
	}
	return list, nil
}

type jsonValue[T any] struct{ at *T }

// JSONOf is a value that is kept as JSON.
func JSONOf[T any](at *T) Text { return jsonValue[T]{at} }

func (v jsonValue[T]) Encode() (string, error) {
	text, err := memory.JSONOf(*v.at)
	return string(text), err
}

func (v jsonValue[T]) Decode(text string) error {
	if err := memory.KeptJSON.Check("", []byte(text)); err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), v.at)
}

type said struct{ at *string }

// Said is a field with a text that must say something.
func Said(at *string) Text { return said{at} }

func (s said) Encode() (string, error) { return *s.at, nil }

func (s said) Decode(text string) error {
	*s.at = text
	return nil
}

func (s said) check(name string) error {
	if strings.TrimSpace(*s.at) == "" {
		return memory.Invalid(name, "must not be empty")
	}
	return nil
}

// Rows is a list of records of their own. Neo4j keeps it as lists beside one another, one for each field; SQLite as
// JSON, or in a table.
type Rows interface {
	JSON
	Names() []string // of the lists
	Resize(length int)
	Row(i int) List
}

type rows[T any] struct {
	jsonList[T]
	of    func(*T) List
	names []string
}

// RowsIn is a field that holds a list of records.
func RowsIn[T any](at *[]T, of func(*T) List, names ...string) Rows {
	return rows[T]{jsonList[T]{at}, of, names}
}

func (r rows[T]) Names() []string   { return r.names }
func (r rows[T]) Resize(length int) { *r.at = make([]T, length) }
func (r rows[T]) Row(i int) List    { return r.of(&(*r.at)[i]) }
