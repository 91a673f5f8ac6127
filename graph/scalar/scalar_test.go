package scalar_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/graph/scalar"
	"mneme/memory"
)

func written(value graphql.Marshaler) string {
	var buffer bytes.Buffer
	value.MarshalGQL(&buffer)
	return buffer.String()
}

func TestStringsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		var back string
		require.NoError(t, json.Unmarshal([]byte(written(scalar.MarshalString(s))), &back))
		require.Equal(t, s, back)
		require.LessOrEqual(t, memory.AnswerLength(s), int64(len(written(scalar.MarshalString(s)))))
	})
	assert.Equal(t, `"a\"\\\n\r\t\u0001/<é🎷"`, written(scalar.MarshalID("a\"\\\n\r\t\x01/<é🎷")))
}

func TestFloatsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "number")
		text, err := json.Marshal(f)
		require.NoError(t, err)
		var back float64
		require.NoError(t, json.Unmarshal([]byte(written(scalar.MarshalFloat(f))), &back))
		require.Equal(t, f, back, string(text))
	})
	for f, text := range map[float64]string{0: "0", -0.2: "-0.2", 1e6: "1000000", 1e21: "1e+21", 1e-7: "1e-7"} {
		assert.Equal(t, text, written(scalar.MarshalFloat(f)))
	}
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		assert.Equal(t, graphql.Null, scalar.MarshalFloat(f))
	}
}

func TestBuiltinScalars(t *testing.T) {
	t.Parallel()
	number := func(s string) any { return json.Number(s) }
	for name, test := range map[string]struct {
		read    func(any) (any, error)
		in, out any // out nil: refused
	}{
		"text":                   {read(scalar.UnmarshalString), "a", "a"},
		"a number for a text":    {read(scalar.UnmarshalString), number("1"), nil},
		"null for a text":        {read(scalar.UnmarshalString), nil, nil},
		"an id":                  {read(scalar.UnmarshalID), "a:b", "a:b"},
		"a number for an id":     {read(scalar.UnmarshalID), number("17"), "17"},
		"a literal for an id":    {read(scalar.UnmarshalID), int64(17), "17"},
		"a fraction for an id":   {read(scalar.UnmarshalID), number("1.5"), nil},
		"a truth for an id":      {read(scalar.UnmarshalID), true, nil},
		"a whole number":         {read(scalar.UnmarshalInt), number("-2147483648"), -2147483648},
		"a default":              {read(scalar.UnmarshalInt), 5, 5},
		"a literal":              {read(scalar.UnmarshalInt), int64(5), 5},
		"a fraction of zero":     {read(scalar.UnmarshalInt), number("5.0"), 5},
		"a fraction":             {read(scalar.UnmarshalInt), number("5.5"), nil},
		"33 bits":                {read(scalar.UnmarshalInt), number("2147483648"), nil},
		"a text for a number":    {read(scalar.UnmarshalInt), "5", nil},
		"a number":               {read(scalar.UnmarshalFloat), number("0.1"), 0.1},
		"a whole for a fraction": {read(scalar.UnmarshalFloat), int64(3), 3.0},
		"beyond 64 bits":         {read(scalar.UnmarshalFloat), number("1e999"), nil},
		"a text for a fraction":  {read(scalar.UnmarshalFloat), "0.1", nil},
		"a truth":                {read(scalar.UnmarshalBoolean), true, true},
		"a text for a truth":     {read(scalar.UnmarshalBoolean), "true", nil},
		"a list":                 {read(scalar.UnmarshalBoolean), []any{true}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := test.read(test.in)
			if test.out != nil {
				require.NoError(t, err)
				assert.Equal(t, test.out, out)
				return
			}
			var refused *memory.Error
			require.True(t, errors.As(err, &refused))
			assert.Equal(t, memory.CodeInvalidInput, refused.Code)
		})
	}
}

func read[T any](unmarshal func(any) (T, error)) func(any) (any, error) {
	return func(value any) (any, error) { return unmarshal(value) }
}

func TestDateTime(t *testing.T) {
	t.Parallel()
	for sent, answered := range map[string]string{
		"2026-03-01":                             "2026-03-01T00:00:00.000Z",
		"2026-03-01T12:00:00+01:00":              "2026-03-01T11:00:00.000Z",
		"2026-03-01t12:00:00z":                   "2026-03-01T12:00:00.000Z",
		"2026-03-01T12:00:00.123456789Z":         "2026-03-01T12:00:00.123Z",
		"2026-03-01T12:00:00.999999-00:00":       "2026-03-01T12:00:00.999Z",
		"2016-12-31T23:59:60Z":                   "2017-01-01T00:00:00.000Z",
		"2016-12-31T23:59:60.5Z":                 "2017-01-01T00:00:00.000Z",
		"1970-01-01T00:00:00Z":                   "1970-01-01T00:00:00.000Z",
		"9999-12-31T23:59:59.999999Z":            "9999-12-31T23:59:59.999Z",
		"1969-12-31T23:00:00-01:00":              "1970-01-01T00:00:00.000Z",
		"2024-02-29T00:00:00.00000000000000001Z": "2024-02-29T00:00:00.000Z",
	} {
		at, err := scalar.UnmarshalDateTime(sent)
		require.NoError(t, err, sent)
		assert.Equal(t, time.UTC, at.Location(), sent)
		assert.Equal(t, `"`+answered+`"`, written(scalar.MarshalDateTime(at)), sent)
	}
	for _, sent := range []any{
		"", "noon", "2026-3-1", "2026-03-01T12:00:00", "2026-03-01 12:00:00Z", "2026-02-29T12:00:00Z", "2026-03-01T24:00:00Z",
		"2026-03-01T12:00:00,5Z", "2026-03-01T1:00:00Z", "2026-03-01T12:00:00+25:00", "12026-03-01T12:00:00Z",
		"0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", json.Number("1700000000"), nil, true,
	} {
		_, err := scalar.UnmarshalDateTime(sent)
		assert.Error(t, err, sent)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	var value any
	decoder := json.NewDecoder(strings.NewReader(`{"b":[1.10,12345678901234567890],"a":"<&>"}`))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&value))
	kept, err := scalar.UnmarshalJSON(value)
	require.NoError(t, err)
	assert.Equal(t, `{"a":"<&>","b":[1.10,12345678901234567890]}`, written(scalar.MarshalJSON(kept)))

	var empty []any // as the parser of queries gives it
	kept, err = scalar.UnmarshalJSON(map[string]any{"a": empty, "b": []any{empty, map[string]any{"c": empty}, nil}})
	require.NoError(t, err)
	assert.JSONEq(t, `{"a":[],"b":[[],{"c":[]},null]}`, string(kept))
	kept, err = scalar.UnmarshalJSON(empty)
	require.NoError(t, err)
	assert.Equal(t, `[]`, string(kept))

	none, err := scalar.UnmarshalJSON(nil)
	require.NoError(t, err)
	assert.Equal(t, graphql.Null, scalar.MarshalJSON(none))
	_, err = scalar.UnmarshalJSON(math.NaN())
	assert.Error(t, err)
}
