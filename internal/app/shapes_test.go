package app

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// shape chooses values for what a field or a tool takes: only what it must have, or optional parts of it too.
type shape struct {
	// part is the optional part that is given, by its path, such as "input.filter.since"; "*" gives all, "" none.
	part string
	// id is what every id is, name every other text that names something, truth every boolean.
	id, name string
	truth    bool
	// page is a cursor; "" stands for none that was given out.
	page string
}

// given says whether an optional part is given: it is asked for, or holds what is.
func (s shape) given(path string) bool {
	return s.part == "*" || s.part == path || strings.HasPrefix(s.part, path+".")
}

// situation is in the words of what others keep, so that searches by words and by meaning would find it.
const situation = "a customer of the harbour wants a refund for a late kettle"

// text is the value of a slot that takes text.
func (s shape) text(slot string, id bool) string {
	switch {
	case slot == "query" || slot == "situation" || slot == "observation" || slot == "content":
		return situation
	case slot == "after":
		return s.page
	case id:
		return s.id
	}
	return s.name
}

// arguments writes those of a field, with brackets.
func (s shape) arguments(schema *ast.Schema, field *ast.FieldDefinition) string {
	var given []string
	for _, a := range field.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil || s.given(a.Name) {
			given = append(given, a.Name+": "+s.value(schema, a.Name, a.Name, a.Type))
		}
	}
	if len(given) == 0 {
		return ""
	}
	return "(" + strings.Join(given, ", ") + ")"
}

func (s shape) value(schema *ast.Schema, path, slot string, of *ast.Type) string {
	if of.Elem != nil {
		return "[" + s.value(schema, path, slot, of.Elem) + "]"
	}
	switch definition := schema.Types[of.Name()]; definition.Kind {
	case ast.Enum:
		return definition.EnumValues[0].Name
	case ast.InputObject:
		var fields []string
		for _, field := range definition.Fields {
			below := path + "." + field.Name
			if field.Type.NonNull && field.DefaultValue == nil || s.given(below) {
				fields = append(fields, field.Name+": "+s.value(schema, below, field.Name, field.Type))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	switch of.Name() {
	case "Int":
		return "3"
	case "Float":
		return "0.5"
	case "Boolean":
		return fmt.Sprint(s.truth && slot != "explore") // which draws lots
	case "DateTime":
		return `"2026-01-02T03:04:05Z"`
	case "JSON":
		return fmt.Sprintf("{part: %q}", s.name)
	}
	return fmt.Sprintf("%q", s.text(slot, of.Name() == "ID"))
}

// optional are the paths of all optional parts of a field's arguments.
func optional(schema *ast.Schema, field *ast.FieldDefinition) (paths []string) {
	for _, a := range field.Arguments {
		if !a.Type.NonNull || a.DefaultValue != nil {
			paths = append(paths, a.Name)
		}
		paths = append(paths, optionalBelow(schema, a.Name, a.Type)...)
	}
	return paths
}

func optionalBelow(schema *ast.Schema, path string, of *ast.Type) (paths []string) {
	definition := schema.Types[of.Name()]
	if definition.Kind != ast.InputObject {
		return nil
	}
	for _, field := range definition.Fields {
		below := path + "." + field.Name
		if !field.Type.NonNull || field.DefaultValue != nil {
			paths = append(paths, below)
		}
		paths = append(paths, optionalBelow(schema, below, field.Type)...)
	}
	return paths
}

// everything is all that can be asked of a type without an argument, so many levels deep.
func everything(schema *ast.Schema, of *ast.Type, depth int) string {
	return allOf(schema, schema.Types[of.Name()], depth, nil)
}

// allOf is everything of a type, which may stand beside others for the same object.
func allOf(schema *ast.Schema, of *ast.Definition, depth int, beside []*ast.Definition) string {
	var fields []string
	switch of.Kind {
	case ast.Interface, ast.Union:
		possible := schema.GetPossibleTypes(of)
		for _, definition := range possible {
			fields = append(fields, "... on "+definition.Name+allOf(schema, definition, depth, possible))
		}
	case ast.Object:
		for _, field := range of.Fields {
			must := func(a *ast.ArgumentDefinition) bool { return a.Type.NonNull && a.DefaultValue == nil }
			if below := schema.Types[field.Type.Name()]; !strings.HasPrefix(field.Name, "__") && !slices.ContainsFunc(field.Arguments, must) {
				switch {
				case below.Kind == ast.Scalar || below.Kind == ast.Enum:
					fields = append(fields, alias(of, field, beside))
				case depth > 0 && field.Arguments.ForName("first") != nil:
					fields = append(fields, alias(of, field, beside)+"(first: 2)"+allOf(schema, below, depth-1, nil))
				case depth > 0:
					fields = append(fields, alias(of, field, beside)+allOf(schema, below, depth-1, nil))
				}
			}
		}
	default:
		return ""
	}
	if len(fields) == 0 {
		return " { __typename }"
	}
	return " { " + strings.Join(fields, " ") + " }"
}

// alias is a field, by another name where one of a type beside has its name and is something else.
func alias(of *ast.Definition, field *ast.FieldDefinition, beside []*ast.Definition) string {
	for _, other := range beside {
		if same := other.Fields.ForName(field.Name); same != nil && same.Type.String() != field.Type.String() {
			return strings.ToLower(of.Name) + "_" + field.Name + ": " + field.Name
		}
	}
	return field.Name
}

// toolShape is what a tool's schema says of a value.
type toolShape struct {
	Type       any                  `json:"type"`
	Enum       []any                `json:"enum"`
	Required   []string             `json:"required"`
	Properties map[string]toolShape `json:"properties"`
	Items      *toolShape           `json:"items"`
}

func (d toolShape) is(kind string) bool {
	if kinds, several := d.Type.([]any); several {
		return slices.Contains(kinds, any(kind))
	}
	return d.Type == kind
}

// json is a value by a tool's schema.
func (s shape) json(path, slot string, of toolShape) any {
	switch {
	case len(of.Enum) > 0:
		return of.Enum[0]
	case of.is("array") && of.Items != nil:
		return []any{s.json(path, slot, *of.Items)}
	case of.is("object") && of.Properties == nil:
		return map[string]any{"part": s.name}
	case of.is("object"):
		object := map[string]any{}
		for name, below := range of.Properties {
			if inner := strings.TrimPrefix(path+"."+name, "."); slices.Contains(of.Required, name) || s.given(inner) {
				object[name] = s.json(inner, name, below)
			}
		}
		return object
	case of.is("integer"):
		return 3
	case of.is("number"):
		return 0.5
	case of.is("boolean"):
		return s.truth && slot != "explore"
	case strings.HasSuffix(slot, "At") || slot == "at" || slot == "since" || slot == "until" || slot == "asOf":
		return "2026-01-02T03:04:05Z"
	}
	return s.text(slot, strings.HasSuffix(strings.ToLower(slot), "id") || strings.HasSuffix(strings.ToLower(slot), "ids"))
}

// optional are the paths of the optional parts of what a tool takes.
func (d toolShape) optional(path string) (paths []string) {
	if d.Items != nil {
		return d.Items.optional(path)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Properties)) {
		inner := strings.TrimPrefix(path+"."+name, ".")
		if !slices.Contains(d.Required, name) {
			paths = append(paths, inner)
		}
		paths = append(paths, d.Properties[name].optional(inner)...)
	}
	return paths
}

func mustJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}
