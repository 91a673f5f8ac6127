package scalar

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"mneme/memory"
)

// MarshalString writes a String.
func MarshalString(s string) graphql.Marshaler { return graphql.MarshalString(s) }

// UnmarshalString takes a string and nothing else.
func UnmarshalString(value any) (string, error) {
	s, ok := value.(string)
	if !ok {
		return "", invalid("must be a string, not %s", nameOf(value))
	}
	return s, nil
}

// MarshalID writes an ID.
func MarshalID(id string) graphql.Marshaler { return graphql.MarshalString(id) }

// UnmarshalID takes a string or a whole number, which becomes its digits.
func UnmarshalID(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case json.Number:
		if _, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return v.String(), nil
		}
	}
	return "", invalid("must be a string or a whole number, not %s", nameOf(value))
}

// MarshalInt writes an Int.
func MarshalInt(i int) graphql.Marshaler { return graphql.MarshalInt(i) }

// UnmarshalInt takes a whole number of 32 bits, also one written with a fraction of zero.
func UnmarshalInt(value any) (int, error) {
	f, err := float(value)
	switch {
	case err != nil || f != math.Trunc(f):
		return 0, invalid("must be a whole number, not %s", nameOf(value))
	case f < math.MinInt32 || f > math.MaxInt32:
		return 0, invalid("must be a whole number of 32 bits")
	}
	return int(f), nil
}

// MarshalFloat writes a Float as encoding/json does; null, which a non-null field reports, where it is not finite.
func MarshalFloat(f float64) graphql.Marshaler {
	if size := math.Abs(f); f == 0 || 1e-6 <= size && size < 1e21 { // the same, without reflection
		return document(strconv.AppendFloat(nil, f, 'f', -1, 64))
	}
	text, err := json.Marshal(f)
	if err != nil {
		return graphql.Null
	}
	return document(text)
}

// UnmarshalFloat takes a finite number.
func UnmarshalFloat(value any) (float64, error) {
	f, err := float(value)
	if err != nil {
		return 0, err
	}
	return f, nil
}

// MarshalBoolean writes a Boolean.
func MarshalBoolean(b bool) graphql.Marshaler {
	if b {
		return graphql.True
	}
	return graphql.False
}

// UnmarshalBoolean takes true or false and nothing else.
func UnmarshalBoolean(value any) (bool, error) {
	b, ok := value.(bool)
	if !ok {
		return false, invalid("must be true or false, not %s", nameOf(value))
	}
	return b, nil
}

// float reads a number of any of the forms in which literals, defaults and variables arrive.
func float(value any) (float64, error) {
	switch v := value.(type) {
	case int:
		return float64(v), nil
	case int64:
		return float64(v), nil
	case float64:
		return v, nil
	case json.Number:
		if f, err := v.Float64(); err == nil {
			return f, nil
		}
		return 0, invalid("must be a finite number of 64 bits")
	}
	return 0, invalid("must be a number, not %s", nameOf(value))
}

// invalid is the error of a value that cannot be taken. Where it stood in the request is known at the edge.
func invalid(format string, args ...any) error { return memory.Invalid("", format, args...) }

// nameOf names the kind of a decoded value in the words of JSON.
func nameOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case int, int64, float64, json.Number:
		return "a number like this"
	case []any:
		return "a list"
	default:
		return "an object"
	}
}
