package inbound

import (
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"mneme/memory"
)

// Decode reads one JSON value into a struct that names every field there may be, with its times as memory.ParseTime and
// its whole numbers as memory.WholeNumber reads them. Errors are INVALID_INPUT, name the field, and repeat no value.
func Decode(text []byte, into any) error {
	if err := json.Unmarshal(text, new(json.RawMessage)); err != nil {
		if strings.Contains(err.Error(), "after top-level value") { // the library has no type for that
			return memory.Invalid("", "something follows the record")
		}
		return unreadable("", err)
	}
	sent, err := memory.JSONValue(text)
	if err != nil {
		return unreadable("", err)
	}
	if sent, err = plain(reflect.TypeOf(into).Elem(), sent, ""); err != nil {
		return err
	}
	return decoded(sent, into, "")
}

// decoded reads a value as encoding/json does.
func decoded(sent, into any, field string) error {
	text, err := memory.JSONOf(sent)
	if err == nil && text != nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return unreadable(field, err)
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

// plain is a value of a type with its times and whole numbers as encoding/json reads them. It fails at the first field
// that cannot be read. Names must match in case: encoding/json takes others too, past checks by name.
func plain(kind reflect.Type, sent any, field string) (any, error) {
	switch {
	case sent == nil:
		return nil, nil
	case kind.Kind() == reflect.Pointer:
		return plain(kind.Elem(), sent, field)
	case kind == timeType:
		return plainTime(sent, field)
	case reflect.PointerTo(kind).Implements(decodesType):
		return sent, decoded(sent, reflect.New(kind).Interface(), field)
	}
	switch value := sent.(type) {
	case json.Number:
		if kind.Kind() == reflect.Int {
			return plainWhole(value, field)
		}
	case map[string]any:
		if kind.Kind() == reflect.Struct {
			return value, plainFields(kind, value, field)
		}
	case []any:
		if kind.Kind() == reflect.Slice && kind.Elem().Kind() != reflect.Uint8 {
			return value, plainItems(kind.Elem(), value, field)
		}
	}
	return sent, decoded(sent, reflect.New(kind).Interface(), field)
}

func plainTime(sent any, field string) (any, error) {
	text, ok := sent.(string)
	if !ok {
		return nil, decoded(sent, new(string), field) // which says what it is
	}
	return memory.ParseTime(field, text)
}

func plainWhole(number json.Number, field string) (any, error) {
	digits, ok := memory.WholeNumber(number)
	if _, err := strconv.Atoi(digits.String()); !ok || err != nil {
		return nil, memory.Invalid(field, "must be a whole number")
	}
	return digits, nil
}

func plainItems(kind reflect.Type, list []any, field string) error {
	mayBeNull := kind.Kind() == reflect.Pointer || kind.Kind() == reflect.Slice || reflect.PointerTo(kind).Implements(decodesType)
	for i, item := range list {
		place := Within(field, strconv.Itoa(i))
		value, err := plain(kind, item, place)
		if err != nil {
			return err
		}
		if value == nil && !mayBeNull { // which Go reads as an empty one
			return memory.Invalid(place, "must not be null")
		}
		list[i] = value
	}
	return nil
}

func plainFields(kind reflect.Type, object map[string]any, field string) error {
	known := fieldsOf(kind)
	for _, of := range known {
		value, sent := object[of.name]
		if !sent {
			continue
		}
		value, err := plain(of.kind, value, Within(field, of.name))
		if err != nil {
			return err
		}
		object[of.name] = value
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if slices.ContainsFunc(known, func(of namedField) bool { return of.name == name }) {
			continue
		}
		if plainNames.MatchString(name) {
			field = Within(field, name)
		}
		return memory.Invalid(field, "unknown field")
	}
	return nil
}

// plainNames are those that may be repeated in an error: others may be secrets.
var plainNames = regexp.MustCompile(`^[A-Za-z_]{1,32}$`)

// Within is the name of a field within another; empty is the whole.
func Within(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}

// namedField is a field of a struct, as JSON names it.
type namedField struct {
	name string
	kind reflect.Type
}

var knownFields sync.Map // of a type of struct

// fieldsOf are the fields of a struct in their order. It goes by names in JSON: an embedded struct may have a field of
// the struct's own name, which Go hides.
func fieldsOf(kind reflect.Type) (all []namedField) {
	kept, _ := knownFields.Load(kind)
	if known, ok := kept.([]namedField); ok {
		return known
	}
	for i := range kind.NumField() {
		of := kind.Field(i)
		tag, _, _ := strings.Cut(of.Tag.Get("json"), ",")
		switch {
		case tag == "-":
		case of.Anonymous && of.Type.Kind() == reflect.Struct:
			all = append(all, fieldsOf(of.Type)...)
		default:
			all = append(all, namedField{cmp.Or(tag, of.Name), of.Type})
		}
	}
	knownFields.Store(kind, all)
	return all
}
