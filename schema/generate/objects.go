package main

import (
	"bytes"
	_ "embed"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
	gql "github.com/vektah/gqlparser/v2/ast"
	"golang.org/x/tools/imports"
)

//go:embed objects.gotpl
var objectsTemplate string

// values knows which types are plain values all through.
type values struct {
	objects    map[string]*codegen.Object
	interfaces map[string]*codegen.Interface
}

// rewrite puts the functions of objects.gotpl in the place of gqlgen's of the same names.
func rewrite(data *codegen.Data) error {
	v := values{objects: map[string]*codegen.Object{}, interfaces: data.Interfaces}
	for _, object := range data.Objects {
		v.objects[object.Name] = object
	}
	file := filepath.Join(data.Config.Exec.DirName, "objects.generated.go")
	err := templates.Render(templates.Options{
		PackageName: data.Config.Exec.Package, Filename: file, GeneratedHeader: true,
		Template: objectsTemplate, Data: data, Packages: data.Config.Packages,
		Funcs: template.FuncMap{
			"ours": ours, "plain": v.plain, "plainObject": v.plainObject, "inside": v.inside,
			"valueList": v.valueList, "objectList": v.objectList, "readers": v.readers,
		},
	})
	if err != nil {
		return err
	}
	written, err := functions(file)
	if err != nil {
		return err
	}
	return removeElsewhere(data.Config.Exec.DirName, file, written)
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

// functions names the functions of a Go file.
func functions(file string) (map[string]bool, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, declaration := range parsed.Decls {
		if function, ok := declaration.(*ast.FuncDecl); ok {
			names[function.Name.Name] = true
		}
	}
	return names, nil
}

// removeElsewhere takes the functions out of the other files of a folder.
func removeElsewhere(folder, except string, names map[string]bool) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.generated.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if file == except {
			continue
		}
		if err := remove(file, names); err != nil {
			return err
		}
	}
	return nil
}

func remove(file string, names map[string]bool) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, text, parser.ParseComments)
	if err != nil {
		return err
	}
	var kept bytes.Buffer
	from := 0
	for _, declaration := range parsed.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || !names[function.Name.Name] {
			continue
		}
		kept.Write(text[from:files.Position(function.Pos()).Offset])
		from = files.Position(function.End()).Offset
	}
	kept.Write(text[from:])
	tidy, err := imports.Process(file, kept.Bytes(), nil)
	if err != nil {
		return err
	}
	return os.WriteFile(file, tidy, 0o644) //nolint:gosec // source code
}
