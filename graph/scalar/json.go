package scalar

import (
	"io"

	"github.com/99designs/gqlgen/graphql"

	"mneme/memory"
)

// document is a text of JSON.
type document []byte

// MarshalGQL writes the text. A response that cannot be written is noticed by its transport.
func (d document) MarshalGQL(w io.Writer) { _, _ = w.Write(d) }

// MarshalJSON writes a JSON value; nil is null.
func MarshalJSON(value memory.JSON) graphql.Marshaler {
	if len(value) == 0 {
		return graphql.Null
	}
	return document(value)
}

// UnmarshalJSON takes any value, and gives its canonical text; null gives nil.
func UnmarshalJSON(value any) (memory.JSON, error) {
	text, err := memory.JSONOf(whole(value))
	if err != nil {
		return nil, invalid("must be a JSON value")
	}
	return text, nil
}

// whole gives back the empty lists of a value that was written in the query: the parser makes nil of them, which
// would be null.
func whole(value any) any {
	switch value := value.(type) {
	case []any:
		if value == nil {
			return []any{}
		}
		for i := range value {
			value[i] = whole(value[i])
		}
	case map[string]any:
		for name := range value {
			value[name] = whole(value[name])
		}
	}
	return value
}
