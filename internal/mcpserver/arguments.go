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
	err := json.Unmarshal(arguments, input)
	if err != nil { // as where a time is written in a way of RFC 3339 that encoding/json does not know
		if arguments, err = json.Marshal(sent); err == nil {
			err = json.Unmarshal(arguments, input)
		}
	}
	if err != nil {
		return memory.Invalid("", "the arguments cannot be read") // what the schema lets through can be read
	}
	return nil
}

// check holds a JSON value against a schema as schemaOf makes them.
func check(schema *jsonschema.Schema, value any, at string) *memory.Error {
	if schema.Type == "" { // any JSON value
		return nil
	}
	switch sent := value.(type) {
	case map[string]any:
		if schema.Type == "object" {
			return checkObject(schema, sent, at)
		}
	case []any:
		if schema.Type == "array" {
			return checkItems(schema, sent, at)
		}
	case string:
		if schema.Type == "string" {
			return checkText(schema, sent, at)
		}
	case bool:
		if schema.Type == "boolean" {
			return nil
		}
	case json.Number:
		return checkNumber(schema, sent, at)
	}
	return mistyped(schema, value, at)
}

func checkObject(schema *jsonschema.Schema, sent map[string]any, at string) *memory.Error {
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		property, ok := schema.Properties[name]
		if !ok {
			return unknown(schema, name, at)
		}
		if sent[name] == nil { // as good as left out
			continue
		}
		if fault := check(property, sent[name], within(at, name)); fault != nil {
			return fault
		}
		if text, is := sent[name].(string); is && property.Format == "date-time" {
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

// unknown refuses a property that is not there, and says which are. The name is the caller's and may be
// anything, so only a plain one is repeated.
func unknown(schema *jsonschema.Schema, name, at string) *memory.Error {
	field := at
	if len(name) <= 64 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == "" {
		field = within(at, name)
	}
	return memory.Invalid(field, "is not known here; there are %s", strings.Join(schema.PropertyOrder, ", "))
}

func checkItems(schema *jsonschema.Schema, sent []any, at string) *memory.Error {
	for i, item := range sent {
		if fault := check(schema.Items, item, within(at, strconv.Itoa(i))); fault != nil {
			return fault
		}
	}
	return nil
}

func checkText(schema *jsonschema.Schema, sent, at string) *memory.Error {
	if schema.Enum != nil && !slices.Contains(schema.Enum, any(sent)) {
		return memory.Invalid(at, "must be one of %s", listed(schema.Enum))
	}
	return nil
}

// checkTime reads a time as every door does, and gives it as one that encoding/json reads.
func checkTime(sent, at string) (plain string, fault *memory.Error) {
	instant, err := memory.ParseTime(at, sent)
	if known, is := errors.AsType[*memory.Error](err); is {
		return "", known
	}
	return instant.Format(time.RFC3339Nano), nil
}

func checkNumber(schema *jsonschema.Schema, sent json.Number, at string) *memory.Error {
	switch schema.Type {
	case "integer":
		if _, err := strconv.Atoi(sent.String()); err != nil {
			return memory.Invalid(at, "must be a whole number")
		}
	case "number":
		if _, err := sent.Float64(); err != nil {
			return memory.Invalid(at, "is too large a number")
		}
	default:
		return mistyped(schema, sent, at)
	}
	return nil
}

var typeNames = map[string]string{
	"object": "an object", "array": "a list", "string": "a string", "boolean": "true or false", "integer": "a whole number", "number": "a number",
}

func mistyped(schema *jsonschema.Schema, value any, at string) *memory.Error {
	sent := "null"
	switch value.(type) {
	case map[string]any:
		sent = "an object"
	case []any:
		sent = "a list"
	case string:
		sent = "a string"
	case bool:
		sent = "a boolean"
	case json.Number:
		sent = "a number"
	}
	return memory.Invalid(at, "must be %s, not %s", typeNames[schema.Type], sent)
}

func within(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

func listed(words []any) string {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = fmt.Sprint(word)
	}
	return strings.Join(texts, ", ")
}
