package inbound

import (
	"cmp"
	"reflect"
	"strings"
	"sync"
)

// fields is what a struct is made of, as JSON names it.
type fields struct {
	inOrder []namedField
	byName  map[string]reflect.Type
}

type namedField struct {
	name string
	kind reflect.Type
}

var knownFields sync.Map // of a type of struct

func fieldsOf(kind reflect.Type) fields {
	kept, _ := knownFields.Load(kind)
	if known, ok := kept.(fields); ok {
		return known
	}
	known := fields{byName: map[string]reflect.Type{}}
	known.add(kind)
	knownFields.Store(kind, known)
	return known
}

// add goes by names in JSON: an embedded struct may have a field of the struct's own name, which Go hides.
func (f *fields) add(kind reflect.Type) {
	for i := range kind.NumField() {
		of := kind.Field(i)
		tag, _, _ := strings.Cut(of.Tag.Get("json"), ",")
		switch {
		case tag == "-":
		case of.Anonymous && of.Type.Kind() == reflect.Struct:
			f.add(of.Type)
		default:
			name := cmp.Or(tag, of.Name)
			f.inOrder = append(f.inOrder, namedField{name, of.Type})
			f.byName[name] = of.Type
		}
	}
}
