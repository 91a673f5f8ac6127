package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"mneme/internal/inbound"
	"mneme/memory"
)

// readArguments reads a call's arguments into a tool's input. A fault names the argument as the service
// names it ("actions.2.canvasId") and repeats nothing of what was sent but names.
func readArguments(schema *jsonschema.Schema, arguments json.RawMessage, input any) error {
	if said := string(bytes.TrimSpace(arguments)); said == "" || said == "null" { // as clients say that there are none
		arguments = json.RawMessage("{}")
	}
	sent, err := memory.JSONValue(arguments)
	if err != nil {
		return memory.Invalid("", "the arguments are not a JSON object")
	}
	plain, fault := checkValue(schema, sent, "")
	if fault != nil {
		return fault
	}
	// What was checked is what is read: it has the last of a name that stands twice, which encoding/json would merge with
	// the first, and its times as encoding/json knows them.
	text, err := memory.JSONOf(plain)
	if err == nil {
		err = json.Unmarshal(text, input)
	}
	if err != nil {
		return memory.Invalid("", "the arguments cannot be read") // what the schema lets through can be read
	}
	return nil
}

// decoded is a value as the schema's type has it. Many hosts send lists, objects, numbers and booleans as texts of
// JSON, below the model, which cannot mend it: such a text is what it says. Another one stays, and is refused.
func decoded(schema *jsonschema.Schema, value any) any {
	text, ok := value.(string)
	if !ok || schema.Type == "" || schema.Type == "string" {
		return value
	}
	said, err := memory.JSONValue([]byte(text))
	if sent := typeOf(said); err != nil || said != nil && sent != schema.Type && (sent != "number" || schema.Type != "integer") {
		return value
	}
	return said
}

// checkValue holds a JSON value against a schema as schemaOf makes them, and gives it plainly: words of a closed
// vocabulary as they stand there, in whatever case a model writes them, whole numbers in digits alone, times as
// encoding/json knows them. The validator that comes with the schemas agrees with it (a test asks both), but cannot
// take its place: its errors repeat what was sent and do not say which item of a list is at fault, and numbers that a
// float64 does not hold are texts to it (ADR 20).
func checkValue(schema *jsonschema.Schema, value any, at string) (plain any, fault *memory.Error) {
	if schema.Type == "" { // any JSON value
		return value, nil
	}
	if sent := typeOf(value); sent != schema.Type && (sent != "number" || schema.Type != "integer") {
		return nil, memory.Invalid(at, "must be %s, not %s", typeNames[schema.Type], typeNames[sent])
	}
	switch sent := value.(type) {
	case map[string]any:
		return sent, checkObject(schema, sent, at)
	case []any:
		for i, item := range sent {
			if sent[i], fault = checkValue(schema.Items, decoded(schema.Items, item), inbound.Within(at, strconv.Itoa(i))); fault != nil {
				return nil, fault
			}
		}
	case string:
		return checkText(schema, sent, at)
	case json.Number:
		return checkNumber(schema, sent, at)
	}
	return value, nil
}

func checkObject(schema *jsonschema.Schema, sent map[string]any, at string) (fault *memory.Error) {
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		property, ok := schema.Properties[name]
		if !ok {
			return unknown(schema, name, at)
		}
		if sent[name] = decoded(property, sent[name]); sent[name] == nil { // as good as left out
			continue
		}
		if sent[name], fault = checkValue(property, sent[name], inbound.Within(at, name)); fault != nil {
			return fault
		}
		if slices.Contains(ofFields, name) {
			sent[name] = unpacked(property, sent[name])
		}
	}
	for _, name := range schema.Required {
		if sent[name] == nil {
			return memory.Invalid(inbound.Within(at, name), "is missing")
		}
	}
	return nil
}

func checkText(schema *jsonschema.Schema, sent, at string) (any, *memory.Error) {
	switch word := strings.ToUpper(sent); {
	case schema.Enum != nil && !slices.Contains(schema.Enum, any(word)):
		return nil, memory.Invalid(at, "must be one of %s", listed(schema.Enum))
	case schema.Enum != nil:
		return word, nil
	case schema.Format != "date-time":
		return sent, nil
	}
	instant, err := memory.ParseTime(at, sent)
	if known, ok := errors.AsType[*memory.Error](err); ok {
		return nil, known
	}
	return instant.Format(time.RFC3339Nano), nil
}

func checkNumber(schema *jsonschema.Schema, sent json.Number, at string) (any, *memory.Error) {
	if _, err := sent.Float64(); err != nil {
		return nil, memory.Invalid(at, "is too large a number")
	}
	if schema.Type != "integer" {
		return sent, nil
	}
	digits, ok := memory.WholeNumber(sent)
	if !ok {
		return nil, memory.Invalid(at, "must be a whole number")
	}
	return digits, nil
}

// ofFields are the arguments of any JSON of which fields are read.
var ofFields = []string{"context", "data", "metadata"}

// unpacked is the object that a text says where any JSON may stand: models write objects as texts where the schema has
// no type, and of a text no field would be found. One that would be refused as an object stays the text that it is.
func unpacked(schema *jsonschema.Schema, value any) any {
	text, ok := value.(string)
	if !ok || schema.Type != "" {
		return value
	}
	if memory.InputJSON.Check("", []byte(text)) != nil {
		return value
	}
	said, err := memory.JSONValue([]byte(text))
	object, isObject := said.(map[string]any)
	if err != nil || !isObject {
		return value
	}
	return object
}

// unknown refuses a property that is not there, and says which are. The name is the caller's and may be
// anything, so only a plain one is repeated.
func unknown(schema *jsonschema.Schema, name, at string) *memory.Error {
	field := at
	if memory.IsPlainName(name) {
		field = inbound.Within(at, name)
	}
	return memory.Invalid(field, "is not known here; there are %s", strings.Join(schema.PropertyOrder, ", "))
}

// typeOf is the type of a JSON value as schemas name it.
func typeOf(value any) string {
	switch value.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	default:
		return "null"
	}
}

var typeNames = map[string]string{
	"object": "an object", "array": "a list", "string": "a string", "boolean": "true or false",
	"integer": "a whole number", "number": "a number", "null": "null",
}

func listed(words []any) string {
	texts := memory.Mapped(words, func(word any) string { return fmt.Sprint(word) })
	return strings.Join(texts, ", ")
}
