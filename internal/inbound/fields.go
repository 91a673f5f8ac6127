package inbound

import (
	"cmp"
	"reflect"
	"strings"
	"sync"
)

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
