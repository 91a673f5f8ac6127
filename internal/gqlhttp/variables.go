package gqlhttp

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"mneme/memory"
)

// ofVariable says whether gqlparser refuses a value of a variable.
func ofVariable(fault *gqlerror.Error) bool {
	return len(fault.Path) > 1 && fault.Path[0] == ast.PathName("variable")
}

// refusedVariable says where a refused value stands and what the schema wants there. gqlparser's own message has
// neither, and repeats what was sent.
func refusedVariable(schema *ast.Schema, operation *ast.OperationDefinition, fault *gqlerror.Error) *memory.Error {
	path := fault.Path[1:]
	name, _ := path[0].(ast.PathName)
	wanted := operation.VariableDefinitions.ForName(string(name)).Type
	for i, step := range path[1:] {
		name, isName := step.(ast.PathName)
		if !isName {
			wanted = wanted.Elem
			continue
		}
		within := schema.Types[wanted.NamedType]
		field := within.Fields.ForName(string(name))
		if field == nil {
			if !memory.IsPlainName(string(name)) {
				path = path[:i+1]
			}
			return memory.Invalid(variableField(path), "is not known here; there are %s", namesOf(within.Fields))
		}
		wanted = field.Type
	}
	switch words := wordsOf(schema, wanted); fault.Message {
	case "must be defined":
		return memory.Invalid(variableField(path), "is missing; must be %s", words)
	case "cannot be null":
		return memory.Invalid(variableField(path), "must be %s, not null", words)
	default:
		return memory.Invalid(variableField(path), "must be %s", words)
	}
}

// wordsOf says what values a type has.
func wordsOf(schema *ast.Schema, of *ast.Type) string {
	if of.Elem != nil {
		return "a list"
	}
	switch definition := schema.Types[of.NamedType]; definition.Kind {
	case ast.Enum:
		names := memory.Mapped(definition.EnumValues, func(value *ast.EnumValueDefinition) string { return value.Name })
		return "one of " + strings.Join(names, ", ")
	case ast.InputObject:
		return "an object of " + namesOf(definition.Fields)
	default:
		return scalarWords[of.NamedType]
	}
}

var scalarWords = map[string]string{
	"String": "a string", "ID": "a string or a whole number", "Boolean": "true or false", "DateTime": "an RFC 3339 time",
	"Int": "a whole number of 32 bits", "Float": "a finite number of 64 bits", "JSON": "a JSON value",
}

func namesOf(fields ast.FieldList) string {
	return strings.Join(memory.Mapped(fields, func(field *ast.FieldDefinition) string { return field.Name }), ", ")
}
