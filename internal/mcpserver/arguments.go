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

	"mneme/memory"
)

// readArguments reads a call's arguments into a tool's input. A fault names the argument as the service
// names it ("actions.2.canvasId") and repeats nothing of what was sent but names.
func readArguments(schema *jsonschema.Schema, arguments json.RawMessage, input any) error {
	if text := string(bytes.TrimSpace(arguments)); text == "" || text == "null" { // as clients say that there are none
		arguments = json.RawMessage("{}")
	}
	var sent any
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.UseNumber()
	if err := decoder.Decode(&sent); err != nil {
		return memory.Invalid("", "the arguments are not a JSON object")
	}
	if fault := check(schema, sent, ""); fault != nil {
		return fault
	}
	// What was checked is what is read: sent has the last of a name that stands twice, which encoding/json would merge
	// with the first, and its times as encoding/json knows them.
	checked, err := memory.JSONOf(sent)
	if err == nil {
		err = json.Unmarshal(checked, input)
	}
	if err != nil {
		return memory.Invalid("", "the arguments cannot be read") // what the schema lets through can be read
	}
	return nil
}

// decoded is a value as the schema's type has it. Many hosts send lists, objects, numbers and booleans as texts of
// JSON, below the model, which cannot mend it: such a text is what it says. Another one stays, and check refuses it.
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

// check holds a JSON value against a schema as schemaOf makes them. The validator that comes with the schemas agrees
// with it (a test asks both), but cannot take its place: its errors repeat what was sent and do not say which item of a
// list is at fault, and numbers that a float64 does not hold are texts to it (ADR 20).
func check(schema *jsonschema.Schema, value any, at string) *memory.Error {
	if schema.Type == "" { // any JSON value
		return nil
	}
	if sent := typeOf(value); sent != schema.Type && (sent != "number" || schema.Type != "integer") {
		return memory.Invalid(at, "must be %s, not %s", typeNames[schema.Type], typeNames[sent])
	}
	switch sent := value.(type) {
	case map[string]any:
		return checkObject(schema, sent, at)
	case []any:
		for i, item := range sent {
			item = decoded(schema.Items, item)
			if fault := check(schema.Items, item, within(at, strconv.Itoa(i))); fault != nil {
				return fault
			}
			sent[i] = plain(schema.Items, item)
		}
	case string:
		if schema.Enum != nil && !slices.Contains(schema.Enum, plain(schema, value)) {
			return memory.Invalid(at, "must be one of %s", listed(schema.Enum))
		}
	case json.Number:
		return checkNumber(schema, sent, at)
	}
	return nil
}

func checkObject(schema *jsonschema.Schema, sent map[string]any, at string) *memory.Error {
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		property, ok := schema.Properties[name]
		if !ok {
			return unknown(schema, name, at)
		}
		if sent[name] = decoded(property, sent[name]); sent[name] == nil { // as good as left out
			continue
		}
		if fault := check(property, sent[name], within(at, name)); fault != nil {
			return fault
		}
		sent[name] = plain(property, sent[name])
		if slices.Contains(ofFields, name) {
			sent[name] = unpacked(property, sent[name])
		}
		if text, ok := sent[name].(string); ok && property.Format == "date-time" {
			plain, fault := checkTime(text, within(at, name))
			if fault != nil {
				return fault
			}
			sent[name] = plain
		}
	}
	for _, name := range schema.Required {
		if sent[name] == nil {
			return memory.Invalid(within(at, name), "is missing")
		}
	}
	return nil
}

// plain is a value as it is read: a word of a closed vocabulary as it stands there, in whatever case a model writes it,
// and a whole number in digits alone; other values are as they are.
func plain(schema *jsonschema.Schema, value any) any {
	switch sent := value.(type) {
	case string:
		if schema.Enum != nil {
			return strings.ToUpper(sent)
		}
	case json.Number:
		if digits, ok := memory.WholeNumber(sent); ok && schema.Type == "integer" {
			return digits
		}
	}
	return value
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
		field = within(at, name)
	}
	return memory.Invalid(field, "is not known here; there are %s", strings.Join(schema.PropertyOrder, ", "))
}

// checkTime reads a time as every door does, and gives it as one that encoding/json reads.
func checkTime(sent, at string) (plain string, fault *memory.Error) {
	instant, err := memory.ParseTime(at, sent)
	if known, ok := errors.AsType[*memory.Error](err); ok {
		return "", known
	}
	return instant.Format(time.RFC3339Nano), nil
}

func checkNumber(schema *jsonschema.Schema, sent json.Number, at string) *memory.Error {
	if _, err := sent.Float64(); err != nil {
		return memory.Invalid(at, "is too large a number")
	}
	if _, ok := memory.WholeNumber(sent); !ok && schema.Type == "integer" {
		return memory.Invalid(at, "must be a whole number")
	}
	return nil
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

func within(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

func listed(words []any) string {
	texts := memory.Mapped(words, func(word any) string { return fmt.Sprint(word) })
	return strings.Join(texts, ", ")
}
