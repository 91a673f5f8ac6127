package gqlhttp

import (
	"encoding/json"

	"github.com/vektah/gqlparser/v2/ast"

	"mneme/memory"
)

// wholeNumbers writes whole numbers with a fraction of zero or an exponent in digits alone, where a schema takes an Int: the
// validator of variables takes them for texts. All other numbers stay as they are written, those of JSON digit by digit.
type wholeNumbers struct {
	schema *ast.Schema
}

// variables changes those of an operation, which need not be valid.
func (w wholeNumbers) variables(operation *ast.OperationDefinition, sent map[string]any) {
	for _, variable := range operation.VariableDefinitions {
		if value, is := sent[variable.Variable]; is {
			sent[variable.Variable] = w.value(variable.Type, value)
		}
	}
}

// value is what was sent as a value of a type.
func (w wholeNumbers) value(of *ast.Type, sent any) any {
	items, isList := sent.([]any)
	switch {
	case of.Elem != nil && isList:
		for i := range items {
			items[i] = w.value(of.Elem, items[i])
		}
	case of.Elem != nil: // one value stands for a list of it
		return w.value(of.Elem, sent)
	default:
		return w.named(of.NamedType, sent)
	}
	return sent
}

// named is what was sent as a value of a type that is no list.
func (w wholeNumbers) named(name string, sent any) any {
	switch sent := sent.(type) {
	case json.Number:
		if digits, is := memory.WholeNumber(sent); is && name == "Int" {
			return digits
		}
	case map[string]any:
		of := w.schema.Types[name]
		if of == nil || of.Kind != ast.InputObject {
			break
		}
		for field, value := range sent {
			if known := of.Fields.ForName(field); known != nil {
				sent[field] = w.value(known.Type, value)
			}
		}
	}
	return sent
}
