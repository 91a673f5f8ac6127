package fields

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"time"

	"mneme/memory"
)

// Nullable is a field that may be null.
type Nullable interface {
	Of() any   // a pointer to nothing of the type that it may hold
	held() any // a pointer to what it holds; nil for null
	fresh() any
}

type nullable[T any] struct{ at **T }

// Null is a field that may be null.
func Null[T any](at **T) Nullable { return nullable[T]{at} }

func (n nullable[T]) Of() any { return (*T)(nil) }

func (n nullable[T]) held() any {
	if *n.at == nil {
		return nil
	}
	return *n.at
}

func (n nullable[T]) fresh() any {
	*n.at = new(T)
	return *n.at
}

// Value is what a field holds: a string, int64, float64, bool, time, []string, []int64 or []float64, or nil for null.
func Value(at any) (any, error) {
	switch at := at.(type) {
	case *string, *int64, *float64, *bool, *time.Time, *[]string, *[]int64, *[]float64:
		return reflect.ValueOf(at).Elem().Interface(), nil
	case *int:
		return int64(*at), nil
	case *memory.JSON:
		if len(*at) == 0 {
			return nil, nil
		}
		return string(*at), nil
	case Text:
		return at.Encode()
	case Link:
		return Value(at.At)
	case Key:
		return *at.At, nil
	case Nullable:
		if held := at.held(); held != nil {
			return Value(held)
		}
		return nil, nil
	}
	return nil, fmt.Errorf("nothing is known of a %T", at)
}

// Set is the inverse of Value. What mneme cannot have kept is an error. A list may come as []any too.
func Set(at, value any) (err error) {
	switch at := at.(type) {
	case *string:
		*at, err = text(value)
	case *int:
		var n int64
		n, err = typed[int64](value)
		*at, err = int(n), cmp.Or(err, memory.CheckKeptCount(n))
	case *int64:
		*at, err = typed[int64](value)
	case *float64:
		*at, err = typed[float64](value)
		err = cmp.Or(err, memory.CheckKeptNumber(*at))
	case *bool:
		if value != nil { // which stands for false
			*at, err = typed[bool](value)
		}
	case *time.Time:
		*at, err = typed[time.Time](value)
		*at, err = at.UTC(), cmp.Or(err, memory.CheckKeptTime(*at))
	case Link:
		err = Set(at.At, value)
	case Key:
		*at.At, err = text(value)
	case Nullable:
		if value != nil {
			err = Set(at.fresh(), value)
		}
	default:
		err = setLong(at, value)
	}
	return err
}

// setLong is Set for what may be long.
func setLong(at, value any) (err error) {
	switch at := at.(type) {
	case *[]byte:
		*at, err = typed[[]byte](value)
	case *memory.JSON:
		if value != nil && value != "" {
			var kept string
			kept, err = text(value)
			*at = memory.JSON(kept)
			err = cmp.Or(err, memory.CheckKeptJSON(*at))
		}
	case *[]string:
		*at, err = ListOf[string](value)
	case *[]int64:
		*at, err = ListOf[int64](value)
	case *[]float64:
		*at, err = ListOf[float64](value)
	case Text:
		if _, isList := at.(JSON); isList && value == nil {
			value = EmptyList
		}
		var kept string
		if kept, err = text(value); err == nil {
			err = at.Decode(kept)
		}
	default:
		err = fmt.Errorf("nothing is known of a %T", at)
	}
	return err
}

func text(value any) (string, error) {
	kept, err := typed[string](value)
	return kept, cmp.Or(err, memory.CheckKeptText(kept))
}

func typed[T any](value any) (T, error) {
	found, ok := value.(T)
	switch {
	case value == nil:
		return found, errors.New("is missing")
	case !ok:
		return found, fmt.Errorf("holds a %T", value)
	}
	return found, nil
}

// ListOf is a list of values of one type; null is an empty one.
func ListOf[T any](value any) ([]T, error) {
	list := []T{}
	switch values := value.(type) {
	case nil:
	case []T:
		return values, nil
	case []any:
		for _, one := range values {
			item, err := typed[T](one)
			if err != nil {
				return list, err
			}
			list = append(list, item)
		}
	default:
		return list, fmt.Errorf("holds a %T", value)
	}
	return list, nil
}
