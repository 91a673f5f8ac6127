package memory

import (
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// JSONBounds is how much one JSON value may hold. What nests deeper than a decoder follows would be accepted
// and never read again, and each key costs many times its bytes once it is decoded.
type JSONBounds struct {
	// Depth is how deep lists and objects nest; a plain value has depth 0.
	Depth int
	// Keys counts those of all objects within the value; 0 is no bound.
	Keys int
	// Bytes is the length of its text; 0 is no bound.
	Bytes int
}

// The bounds of JSON on its way in and as it is kept.
var (
	// InputJSON bounds each value that a caller sends.
	InputJSON = JSONBounds{Depth: 64, Keys: 10_000, Bytes: 1 << 20}
	// SpanJSON bounds those within a span, which an episode's log and actions wrap in objects of their own.
	SpanJSON = JSONBounds{Depth: InputJSON.Depth - 4, Keys: InputJSON.Keys, Bytes: InputJSON.Bytes}
	// RestoredJSON bounds each value that comes back in an export: marks in it are longer than what they stand for.
	RestoredJSON = JSONBounds{Depth: InputJSON.Depth, Keys: InputJSON.Keys, Bytes: 4 * InputJSON.Bytes}
	// KeptJSON bounds what is kept: values that came in, and lines of an export with such values in them.
	KeptJSON = JSONBounds{Depth: InputJSON.Depth + 16}
)

// Check looks through a text, without building anything, for what is beyond the bounds; LIMIT_EXCEEDED says
// which. Whether the text is JSON at all is not its question.
func (b JSONBounds) Check(field string, text []byte) error {
	if b.Bytes > 0 && len(text) > b.Bytes {
		return LimitExceeded(field, "is %d bytes long; the most is %d", len(text), b.Bytes)
	}
	depth, keys := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = endOfString(text, i)
		case '{', '[':
			if depth++; depth > b.Depth {
				return LimitExceeded(field, "nests deeper than %d", b.Depth)
			}
		case '}', ']':
			depth--
		case ':':
			if keys++; b.Keys > 0 && keys > b.Keys {
				return LimitExceeded(field, "has more than %d keys", b.Keys)
			}
		}
	}
	return nil
}

// endOfString is the place of the quote that ends the string that begins at start.
func endOfString(text []byte, start int) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(text)
}

// CheckKeptJSON says what is wrong with a JSON value as it was kept; nil is null and good.
func CheckKeptJSON(value JSON) error {
	if len(value) == 0 {
		return nil
	}
	if err := KeptJSON.Check("", value); err != nil {
		return err
	}
	if !utf8.Valid(value) || !json.Valid(value) {
		return errors.New("is not JSON")
	}
	return nil
}
