package bolt

import (
	"errors"
	"fmt"
	"time"

	"mneme/memory"
	"mneme/store/fields"
	"mneme/store/neo4j/cypher"
)

// Encode puts fields into the properties of a node, and gives these. What is null and a list without items are left out of it.
func Encode(into cypher.Parameters, lists ...fields.List) cypher.Parameters {
	for _, list := range lists {
		for _, f := range list {
			if rows, ok := f.At.(fields.Rows); ok {
				encodeRows(into, rows)
			} else {
				into[f.Name] = encode(f.At)
			}
		}
	}
	return into
}

// NotNull takes null out of properties, for statements that add to those of a node.
func NotNull(properties cypher.Parameters) cypher.Parameters {
	for name, value := range properties {
		if value == nil {
			delete(properties, name)
		}
	}
	return properties
}

// noText stands for null in lists, which hold none.
const noText = "\x00"

// encodeRows makes a list of each field. One of which all are null is left out.
func encodeRows(into cypher.Parameters, rows fields.Rows) {
	names, length := rows.Names(), rows.Len()
	lists, some := make([][]any, len(names)), make([]bool, len(names))
	for i := range length {
		for n, f := range rows.Row(i) {
			value := encode(f.At)
			_, isJSON := f.At.(*memory.JSON)
			some[n] = some[n] || value != nil || isJSON
			switch {
			case value != nil:
			case isJSON:
				value = ""
			default:
				value = noText
			}
			lists[n] = append(lists[n], value)
		}
	}
	for n, name := range names {
		if into[name] = any(lists[n]); !some[n] {
			into[name] = nil
		}
	}
}

func encode(at any) any {
	switch at := at.(type) {
	case *string:
		return *at
	case *int:
		return *at
	case *int64:
		return *at
	case *float64:
		return *at
	case *bool:
		return *at
	case *time.Time:
		return Instant(*at)
	case *memory.JSON:
		return JSONOrNothing(*at)
	case *[]string:
		return OrNothing(*at)
	case *[]int64:
		return *at
	case *[]float64:
		return *at
	case fields.Text:
		if list, ok := at.(fields.JSON); ok && list.Len() == 0 {
			return nil
		}
		return encoded(at)
	}
	return encodeOptional(at)
}

// encoded is a text, or the error with which there is none: that the driver refuses, and with it the write.
func encoded(at fields.Text) any {
	text, err := at.Encode()
	if err != nil {
		return err
	}
	return text
}

func encodeOptional(at any) any {
	switch at := at.(type) {
	case **string:
		return orNull(*at)
	case **int:
		return orNull(*at)
	case **float64:
		return orNull(*at)
	case **bool:
		return orNull(*at)
	case **time.Time:
		return OptionalInstant(*at)
	}
	return fmt.Errorf("nothing is known of a %T", at)
}

func orNull[T any](at *T) any {
	if at == nil {
		return nil
	}
	return *at
}

// JSONOrNothing leaves null out of a node; JSON text is never empty.
func JSONOrNothing(value memory.JSON) any {
	if len(value) == 0 {
		return nil
	}
	return string(value)
}

// Scan reads fields of a record.
func (f *Fields) Scan(lists ...fields.List) {
	for _, list := range lists {
		for _, field := range list {
			if rows, ok := field.At.(fields.Rows); ok {
				f.scanRows(rows)
			} else {
				f.Check(field.Name, decode(f.Node.Props[field.Name], field.At))
			}
		}
	}
}

// scanRows reads lists that are of one length, or none.
func (f *Fields) scanRows(rows fields.Rows) {
	names := rows.Names()
	lists := make([][]any, len(names))
	for n, name := range names {
		if f.Node.Props[name] != nil {
			lists[n] = Required[[]any](f, name)
		}
	}
	length := len(lists[0])
	rows.Resize(length)
	for n, name := range names {
		if len(lists[n]) != length && lists[n] != nil {
			f.Check(name, fmt.Errorf("holds %d values where %d were expected", len(lists[n]), length))
			return
		}
	}
	for i := range length {
		for n, field := range rows.Row(i) {
			var value any
			if lists[n] != nil {
				value = lists[n][i]
			}
			f.Check(names[n], decode(value, field.At))
		}
	}
}

// decode reads a value of the driver.
func decode(value, at any) error {
	switch at := at.(type) {
	case **string:
		if value == noText {
			value = nil
		}
		return decodeOptional(value, at)
	case **int:
		return decodeOptional(value, at)
	case **float64:
		return decodeOptional(value, at)
	case **bool:
		return decodeOptional(value, at)
	case **time.Time:
		return decodeOptional(value, at)
	case fields.Text:
		return decodeText(value, at)
	}
	return decodeValue(value, at)
}

func decodeOptional[T any](value any, at **T) error {
	if value == nil {
		return nil
	}
	*at = new(T)
	return decodeValue(value, *at)
}

func decodeText(value any, at fields.Text) error {
	if _, isList := at.(fields.JSON); isList && value == nil {
		return at.Decode(fields.EmptyList)
	}
	text, err := typed[string](value)
	if err != nil {
		return err
	}
	return at.Decode(text)
}

func decodeValue(value, at any) (err error) {
	switch at := at.(type) {
	case *string:
		*at, err = typed[string](value)
	case *int:
		var n int64
		n, err = typed[int64](value)
		*at = int(n)
		if err == nil {
			err = memory.CheckKeptCount(n)
		}
	case *int64:
		*at, err = typed[int64](value)
	case *float64:
		if *at, err = typed[float64](value); err == nil {
			err = memory.CheckKeptNumber(*at)
		}
	case *bool:
		if value != nil { // else it is false
			*at, err = typed[bool](value)
		}
	case *time.Time:
		if *at, err = typed[time.Time](value); err == nil {
			*at, err = at.UTC(), memory.CheckKeptTime(*at)
		}
	default:
		err = decodeList(value, at)
	}
	return err
}

func decodeList(value, at any) (err error) {
	switch at := at.(type) {
	case *memory.JSON:
		var text *string
		if err = decodeOptional(value, &text); err == nil && text != nil {
			*at = OptionalJSON(*text)
			err = memory.CheckKeptJSON(*at)
		}
	case *[]string:
		*at, err = typedList[string](value)
	case *[]int64:
		*at, err = typedList[int64](value)
	case *[]float64:
		*at, err = typedList[float64](value)
	default:
		err = fmt.Errorf("nothing is known of a %T", at)
	}
	return err
}

var errMissing = errors.New("is missing")

func typed[T any](value any) (T, error) {
	found, ok := value.(T)
	switch {
	case value == nil:
		return found, errMissing
	case !ok:
		return found, fmt.Errorf("holds a %T", value)
	}
	return found, nil
}

// typedList reads a list of values of one type; null gives an empty list.
func typedList[T any](value any) ([]T, error) {
	list := []T{}
	if value == nil {
		return list, nil
	}
	values, err := typed[[]any](value)
	for i := 0; i < len(values) && err == nil; i++ {
		var item T
		item, err = typed[T](values[i])
		list = append(list, item)
	}
	return list, err
}
