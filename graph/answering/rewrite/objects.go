package rewrite

import (
	_ "embed"
	"slices"
	"strings"
	"text/template"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
	gql "github.com/vektah/gqlparser/v2/ast"
)

//go:embed objects.gotpl
var objectsTemplate string

// values knows which types are plain values all through.
type values struct {
	objects    map[string]*codegen.Object
	interfaces map[string]*codegen.Interface
}

// writeObjects writes the functions of objects.gotpl into a file.
func writeObjects(data *codegen.Data, file string) error {
	v := values{objects: map[string]*codegen.Object{}, interfaces: data.Interfaces}
	for _, object := range data.Objects {
		v.objects[object.Name] = object
	}
	return templates.Render(templates.Options{
		PackageName: data.Config.Exec.Package, Filename: file, GeneratedHeader: true,
		Template: objectsTemplate, Data: data, Packages: data.Config.Packages,
		Funcs: template.FuncMap{
			"ours": ours, "plain": v.plain, "plainObject": v.plainObject, "inside": v.inside,
			"valueList": v.valueList, "objectList": v.objectList, "readers": v.readers,
		},
	})
}

// ours says whether an object is of this schema: neither a root nor of introspection.
func ours(object *codegen.Object) bool {
	return !object.Root && !strings.HasPrefix(object.Name, "__")
}

// plain says whether a field's value is at hand, and so are all values in it: it takes nothing but the object.
func (v values) plain(field *codegen.Field) bool {
	return !field.IsResolver && len(field.Args) == 0 && !field.MethodHasContext && !field.HasDirectives() &&
		(field.IsVariable() || field.IsMethod() && field.NoErr) && v.value(field.TypeReference)
}

// value says whether a type is a scalar, an enum, or an object whose fields are all plain, and a list of such.
func (v values) value(ref *config.TypeReference) bool {
	switch ref.Definition.Kind {
	case gql.Scalar, gql.Enum:
		return true
	case gql.Object:
		return v.plainObject(v.objects[ref.Definition.Name])
	default:
		return false
	}
}

// plainObject says whether all fields of an object are plain.
func (v values) plainObject(object *codegen.Object) bool {
	return ours(object) && !slices.ContainsFunc(object.Fields, func(f *codegen.Field) bool { return !v.plain(f) })
}

// valueList says whether a type is a list whose elements need no context of their own. gqlgen writes those
// of scalars so itself.
func (v values) valueList(ref *config.TypeReference) bool {
	introspection := strings.HasPrefix(ref.Definition.Name, "__")
	return ref.IsSlice() && ref.MarshalFunc() != "" && !ref.IsScalar() && !introspection && v.value(ref)
}

// objectList says whether a type is a list of objects, or of an interface, with fields that may read something.
func (v values) objectList(ref *config.TypeReference) bool {
	return ref.IsSlice() && v.inside(&codegen.Field{TypeReference: ref}) != ""
}

// inside names the type of a field whose own fields may read something, "" for any other.
func (v values) inside(field *codegen.Field) string {
	name := field.TypeReference.Definition.Name
	if of, ok := v.interfaces[name]; ok && len(v.readers(of)) > 0 {
		return name
	}
	if object, ok := v.objects[name]; ok && ours(object) && !v.plainObject(object) {
		return name
	}
	return ""
}

// readers names the objects of an interface that have fields which may read something.
func (v values) readers(of *codegen.Interface) []string {
	var names []string
	for _, implementor := range of.Implementors {
		object := v.objects[implementor.Name]
		if ours(object) && !v.plainObject(object) && !slices.Contains(names, object.Name) {
			names = append(names, object.Name)
		}
	}
	slices.Sort(names)
	return names
}
