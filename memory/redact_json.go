package memory

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// RedactJSON redacts every string and every key inside a JSON value, each for itself: a span does
// not reach from one string into the next. The result is canonical (see JSONOf). Keys that become
// the same are told apart by a number. Text that is not JSON comes back as one redacted string.
func RedactJSON(j JSON) (clean JSON, redactions int) {
	clean = redactJSON(j, func(_, text string) string {
		text, n := Redact(text)
		redactions += n
		return text
	})
	return clean, redactions
}

// MapJSON applies a function to every string and every key inside a JSON value, as RedactJSON redacts them.
func MapJSON(j JSON, f func(text string) string) JSON {
	return redactJSON(j, func(_, text string) string { return f(text) })
}

// redactJSON hands redact each string with the name it goes by: the key that it, or the list with it,
// stands under.
func redactJSON(j JSON, redact func(name, text string) string) JSON {
	if len(j) == 0 {
		return nil
	}
	value, err := valueOf(j)
	if err != nil {
		value = strings.ToValidUTF8(string(j), "\uFFFD")
	}
	clean, _ := JSONOf(redactValue("", value, redact)) // what was decoded can be encoded
	return clean
}

func redactValue(name string, value any, redact func(name, text string) string) any {
	switch value := value.(type) {
	case string:
		return redact(name, value)
	case []any:
		for i := range value {
			value[i] = redactValue(name, value[i], redact)
		}
		return value
	case map[string]any:
		return redactObject(value, redact)
	default:
		return value
	}
}

// redactObject goes by the sorted keys, so that equal inputs give equal results.
func redactObject(object map[string]any, redact func(name, text string) string) map[string]any {
	clean := make(map[string]any, len(object))
	used := make(map[string]int)
	for _, key := range slices.Sorted(maps.Keys(object)) {
		clean[freeKey(clean, used, redact("", key))] = redactValue(key, object[key], redact)
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
