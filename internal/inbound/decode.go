package inbound

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"mneme/memory"
)

// Decode reads one JSON value into a struct that names every field there may be, with its times as memory.ParseTime
// and its whole numbers as memory.WholeNumber reads them. Its errors are INVALID_INPUT, name the field, and repeat no value.
func Decode(text []byte, into any) error {
	var whole json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil {
		if strings.Contains(err.Error(), "after top-level value") { // the library has no type for that
			return memory.Invalid("", "something follows the record")
		}
		return unreadable("", err)
	}
	plain, fault := plainValue(reflect.TypeOf(into).Elem(), whole, "")
	if fault != nil {
		return fault
	}
	if plain == nil {
		plain = whole
	}
	if err := json.Unmarshal(plain, into); err != nil {
		return unreadable("", err)
	}
	return nil
}

// unreadable is what keeps a field from being read.
func unreadable(field string, err error) error {
	words := InWords(err)
	if field != "" {
		words = strings.TrimPrefix(words, "the record ")
	}
	return memory.Invalid(field, "%s", words)
}

var (
	timeType    = reflect.TypeFor[time.Time]()
	decodesType = reflect.TypeFor[json.Unmarshaler]()
)

// plainValue writes the times and whole numbers of a value of a type as encoding/json reads them; nil where the value stays as
// it is. It fails with the first thing that keeps the value from being read, by its field. Names must be written in the case of
// their fields: encoding/json takes others too, and their values would pass what looks at fields by name.
func plainValue(kind reflect.Type, text json.RawMessage, field string) (plain json.RawMessage, fault error) {
	switch {
	case string(text) == "null":
		return nil, nil
	case kind == timeType:
		return plainTime(text, field)
	case kind.Kind() == reflect.Int:
		return plainWhole(text, field)
	case kind.Kind() == reflect.Pointer:
		return plainValue(kind.Elem(), text, field)
	case reflect.PointerTo(kind).Implements(decodesType):
	case kind.Kind() == reflect.Struct:
		return plainFields(kind, text, field)
	case kind.Kind() == reflect.Slice && kind.Elem().Kind() != reflect.Uint8:
		return plainItems(kind, text, field)
	}
	if err := json.Unmarshal(text, reflect.New(kind).Interface()); err != nil {
		return nil, unreadable(field, err)
	}
	return nil, nil
}

func plainTime(text json.RawMessage, field string) (plain json.RawMessage, fault error) {
	var sent string
	if err := json.Unmarshal(text, &sent); err != nil {
		return nil, unreadable(field, err)
	}
	at, err := memory.ParseTime(field, sent)
	if err != nil {
		return nil, err
	}
	plain, err = json.Marshal(at)
	if err != nil || bytes.Equal(plain, text) {
		return nil, err
	}
	return plain, nil
}

// plainWhole writes a whole number in digits alone.
func plainWhole(text json.RawMessage, field string) (plain json.RawMessage, fault error) {
	var number int
	err := json.Unmarshal(text, &number)
	if err == nil {
		return nil, nil
	}
	var sent *json.Number
	if text[0] == '"' || json.Unmarshal(text, &sent) != nil {
		return nil, unreadable(field, err)
	}
	digits, is := memory.WholeNumber(*sent)
	if !is || json.Unmarshal([]byte(digits), &number) != nil {
		return nil, memory.Invalid(field, "must be a whole number")
	}
	return json.RawMessage(digits), nil
}

func plainItems(kind reflect.Type, text json.RawMessage, field string) (plain json.RawMessage, fault error) {
	var items []json.RawMessage
	if err := json.Unmarshal(text, &items); err != nil {
		return nil, unreadable(field, err)
	}
	changed := false
	for i, item := range items {
		place := within(field, strconv.Itoa(i))
		plain, err := plainValue(kind.Elem(), item, place)
		if err = cmp.Or(err, notNull(kind.Elem(), item, place)); err != nil {
			return nil, err
		}
		if plain != nil {
			items[i], changed = plain, true
		}
	}
	if !changed {
		return nil, nil
	}
	return json.Marshal(items)
}

func plainFields(kind reflect.Type, text json.RawMessage, field string) (plain json.RawMessage, fault error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, unreadable(field, err)
	}
	changed, known := false, fieldsOf(kind)
	for _, of := range known.inOrder {
		name := of.name
		value, sent := fields[name]
		if !sent {
			continue
		}
		plain, err := plainValue(of.kind, value, within(field, name))
		if err != nil {
			return nil, err
		}
		if plain != nil {
			fields[name], changed = plain, true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if _, is := known.byName[name]; !is {
			return nil, unknownField(field, name)
		}
	}
	if !changed {
		return nil, nil
	}
	return json.Marshal(fields)
}

func within(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}
