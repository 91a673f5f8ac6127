package db

import (
	"cmp"
	"database/sql/driver"
	"encoding/json"
	"slices"

	"mneme/store/fields"
)

// JSONOf is a list as json_each reads it.
func JSONOf[T string | int64 | []int64 | [2]string](list []T) string {
	text, _ := json.Marshal(list) // these types never fail
	return string(text)
}

// List is a list as a parameter for json_each; nil is null.
func List[T string | int64 | []int64 | [2]string](name string, list []T) driver.NamedValue {
	if list == nil {
		return Arg(name, nil)
	}
	return Arg(name, JSONOf(list))
}

// EncodeOptional writes a list; nil is null.
func EncodeOptional[T any](list []T) (*string, error) {
	if list == nil {
		return nil, nil
	}
	text, err := fields.EncodeList(list)
	return &text, err
}

// ListOf reads a column that holds a list.
func ListOf[T any](r *Row) []T {
	list, err := fields.DecodeList[T](r.Text())
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
