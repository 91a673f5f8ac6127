package redaction

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mneme/memory"
)

// MapJSON applies a function to every string and every key inside a JSON value, as Redactor.JSON does.
func MapJSON(j memory.JSON, f func(text string) string) memory.JSON {
	return redactJSON(j, func(_, text string) string { return f(text) })
}

// redactJSON hands redact each string and each key, a string with its name: the key that it, or the list with it,
// stands under. Keys that become the same are told apart by a number. Text that is not JSON becomes one string.
func redactJSON(j memory.JSON, redact func(name, text string) string) memory.JSON {
	if len(j) == 0 {
		return nil
	}
	value, err := memory.JSONValue(j)
	if err != nil {
		value = strings.ToValidUTF8(string(j), "\uFFFD")
	}
	clean, _ := memory.JSONOf(redactValue("", value, redact)) // what was decoded can be encoded
	return clean
}

func redactValue(name string, value any, redact func(name, text string) string) any {
	switch value := value.(type) {
	case string:
		return redact(name, value)
	case json.Number:
		if name != "" { // a number may be a password, too
			if clean := redact(name, value.String()); clean != value.String() {
				return clean
			}
		}
		return value
	case []any:
		return redactList(name, value, redact)
	case map[string]any:
		return redactObject(name, value, redact)
	default:
		return value
	}
}

// redactList takes what stands behind an option, as in the arguments of a program, to be named by it.
func redactList(name string, list []any, redact func(name, text string) string) []any {
	before := "" // the option right before
	for i, item := range list {
		option := ""
		if text, ok := item.(string); ok && strings.HasPrefix(text, "-") {
			before = ""
			if !strings.ContainsAny(text, " =") {
				option = strings.TrimLeft(text, "-")
			}
		}
		list[i] = redactValue(cmp.Or(before, name), item, redact)
		before = option
	}
	return list
}

// namesValue is what the value of an object with a name and a value goes by; name where the object says none.
func namesValue(name string, object map[string]any) string {
	for _, key := range []string{"name", "key"} {
		if said, ok := object[key].(string); ok {
			return said
		}
	}
	return name
}

// isValueKey says whether a key says no more than that a value follows.
func isValueKey(key string) bool { return key == "value" || key == "stringValue" || key == "intValue" }

// redactObject goes by the sorted keys, so that equal inputs give equal results.
func redactObject(name string, object map[string]any, redact func(name, text string) string) map[string]any {
	clean := make(map[string]any, len(object))
	used := make(map[string]int)
	for _, key := range slices.Sorted(maps.Keys(object)) {
		named := key
		if isValueKey(key) {
			named = cmp.Or(namesValue(name, object), key)
		}
		clean[freeKey(clean, used, redact("", key))] = redactValue(named, object[key], redact)
	}
	return clean
}

// freeKey gives the key, with the next number where it is taken; used remembers the numbers, so that
// an object of a great many private keys takes no longer than another.
func freeKey(taken map[string]any, used map[string]int, key string) string {
	free := key
	for {
		if _, exists := taken[free]; !exists {
			return free
		}
		used[key]++
		free = fmt.Sprintf("%s %d", key, used[key]+1)
	}
}
