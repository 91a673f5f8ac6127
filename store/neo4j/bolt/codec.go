package bolt

import (
	"fmt"
	"time"

	"mneme/memory"
	"mneme/store/fields"
	"mneme/store/neo4j/cypher"
)

// Encode puts fields into the properties of a node, and gives these. Nulls and empty lists are left out.
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

// noText stands for null in lists, which hold none.
const noText = "\x00"

// encodeRows makes a list of each field. One of which all are null is left out.
func encodeRows(into cypher.Parameters, rows fields.Rows) {
	names, lists, some := rows.Names(), make([][]any, len(rows.Names())), make([]bool, len(rows.Names()))
	for i := range rows.Len() {
		for n, f := range rows.Row(i) {
			value := encode(f.At)
			if _, isJSON := f.At.(*memory.JSON); isJSON && value == nil {
				value = "" // JSON text is never empty
			}
			if some[n] = some[n] || value != nil; value == nil {
				value = noText
			}
			lists[n] = append(lists[n], value)
		}
	}
	for n, name := range names {
		if into[name] = nil; some[n] {
			into[name] = lists[n]
		}
	}
}

// encode gives the error of what cannot be encoded in its place: that the driver refuses, and with it the write.
func encode(at any) any {
	if list, ok := at.(fields.JSON); ok && list.Len() == 0 {
		return nil
	}
	value, err := fields.Value(at)
	switch value := value.(type) {
	case time.Time:
		return Instant(value)
	case []string:
		if len(value) == 0 {
			return nil
		}
	}
	if err != nil {
		return err
	}
	return value
}

// JSONOrNothing leaves null out of a node; JSON text is never empty.
func JSONOrNothing(value memory.JSON) any { return encode(&value) }

// Scan reads fields of a record.
func (f *Fields) Scan(lists ...fields.List) {
	for _, list := range lists {
		for _, field := range list {
			if rows, ok := field.At.(fields.Rows); ok {
				f.scanRows(rows)
			} else {
				err := fields.Set(field.At, f.Node.Props[field.Name])
				if key, ok := field.At.(fields.Key); ok {
					f.Of(key.Kind, *key.At)
				}
				f.Check(field.Name, err)
			}
		}
	}
}

// Reading makes a function that reads a record of which the fields are all.
func Reading[T any](lists ...func(*T) fields.List) func(*Fields) *T {
	return func(f *Fields) *T {
		record := new(T)
		for _, list := range lists {
			f.Scan(list(record))
		}
		return record
	}
}

// scanRows reads lists that are of one length, or none.
func (f *Fields) scanRows(rows fields.Rows) {
	names := rows.Names()
	lists := make([][]any, len(names))
	for n, name := range names {
		if lists[n] = List[any](f, name); n > 0 && len(lists[n]) != len(lists[0]) && f.Node.Props[name] != nil {
			f.Check(name, fmt.Errorf("holds %d values where %d were expected", len(lists[n]), len(lists[0])))
			return
		}
	}
	rows.Resize(len(lists[0]))
	for i := range lists[0] {
		for n, field := range rows.Row(i) {
			var value any
			if i < len(lists[n]) && lists[n][i] != noText {
				value = lists[n][i]
			}
			f.Check(names[n], fields.Set(field.At, value))
		}
	}
}
