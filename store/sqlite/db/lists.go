package db

import (
	"bytes"
	"cmp"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"slices"

	"mneme/memory"
)

// JSONOf is a list as json_each reads it.
func JSONOf[T string | int64 | []int64](list []T) string {
	text, _ := json.Marshal(list) // these types never fail
	return string(text)
}

// List is a list as a parameter for json_each.
func List[T string | int64 | []int64](name string, list []T) driver.NamedValue {
	return Arg(name, JSONOf(list))
}

// Lists that belong to one record are kept as JSON. Most are empty, which needs no decoder.
const emptyList = "[]"

// EncodeList writes a list; nil is empty. JSON within it stays as it is, byte for byte.
func EncodeList[T any](list []T) (string, error) {
	if len(list) == 0 {
		return emptyList, nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(list)
	return string(bytes.TrimSuffix(text.Bytes(), []byte("\n"))), err
}

// EncodeOptional writes a list; nil is null.
func EncodeOptional[T any](list []T) (*string, error) {
	if list == nil {
		return nil, nil
	}
	text, err := EncodeList(list)
	return &text, err
}

// DecodeList reads what EncodeList wrote.
func DecodeList[T any](text string) ([]T, error) {
	list := []T{}
	if text == emptyList {
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

// ListOf reads a column that holds a list.
func ListOf[T any](r *Row) []T {
	list, err := DecodeList[T](r.Text())
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
