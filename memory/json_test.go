package memory_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
)

func TestParseJSONIsCanonical(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		` { "b" : 1 , "a" : [ ] } `:     `{"a":[],"b":1}`,
		`{"a":{"z":1,"y":2}}`:           `{"a":{"y":2,"z":1}}`,
		`1.0`:                           `1.0`,
		`9007199254740993`:              `9007199254740993`,
		`"\u003ca\u003e \u0026 \u00fc"`: `"<a> & ü"`,
		`null`:                          ``,
		``:                              ``,
		`  `:                            ``,
		`{"a":1,"a":2}`:                 `{"a":2}`,
	} {
		got, err := memory.ParseJSON([]byte(text))
		require.NoError(t, err, text)
		assert.Equal(t, want, string(got), text)
	}
	for _, text := range []string{`{`, `{"a":1}}`, `1 2`, `nul`, `'a'`, `{a:1}`} {
		_, err := memory.ParseJSON([]byte(text))
		assert.Error(t, err, text)
	}
}

func TestJSONOf(t *testing.T) {
	t.Parallel()
	got, err := memory.JSONOf(map[string]any{"b": "<x>", "a": []int{1}})
	require.NoError(t, err)
	assert.Equal(t, `{"a":[1],"b":"<x>"}`, string(got))
	nothing, err := memory.JSONOf(nil)
	require.NoError(t, err)
	assert.Nil(t, nothing)
	_, err = memory.JSONOf(math.Inf(1))
	assert.Error(t, err)
}

func TestJSONInsideARecord(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(memory.Action{StepName: "a", Result: memory.JSON(`{"n":1}`)})
	require.NoError(t, err)
	assert.JSONEq(t, `{"stepName":"a","result":{"n":1}}`, string(text))

	var action memory.Action
	require.NoError(t, json.Unmarshal([]byte(`{"stepName":"a","result":null}`), &action))
	assert.Nil(t, action.Result, "null is nil")
	bare, err := json.Marshal(struct{ Value memory.JSON }{})
	require.NoError(t, err)
	assert.Equal(t, `{"Value":null}`, string(bare))
}

func TestUnmarshalJSONKeepsItsOwnCopy(t *testing.T) {
	t.Parallel()
	text := []byte(`[1]`)
	var j memory.JSON
	require.NoError(t, j.UnmarshalJSON(text))
	text[1] = '9'
	assert.Equal(t, `[1]`, string(j))
}

// Numbers that are written as floating point are whole where they are exactly so, up to 2⁵³.
func TestWholeNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"5": "5", "-0": "-0", "5.0": "5", "-5.000": "-5", "1e2": "100", "1E+2": "100", "1.25e2": "125", "120e-1": "12", "0.05e2": "5",
		"0.0": "0", "-0.0": "0", "9007199254740992.0": "9007199254740992", "9223372036854775807": "9223372036854775807",
	} {
		got, ok := memory.WholeNumber(json.Number(text))
		assert.True(t, ok, text)
		assert.Equal(t, want, got.String(), text)
	}
	for _, text := range []string{
		"0.5", "1e-1", "12e-2", "1.25e1", "9223372036854775808", "9223372036854775807.0", "1e19", "1e300", "1e400", "1e99999999999999999999",
		"", "-", ".", "e1", "1e", "x", "1.2.3e9", "NaN", "Infinity", "--1.0",
	} {
		_, ok := memory.WholeNumber(json.Number(text))
		assert.False(t, ok, text)
	}
}

// Keys of what is kept depend on it.
func TestPlainJSONOfNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"120": "120", "120.0": "120", "1.2e2": "120", "-0": "0", "-0.0": "0", "0.5": "0.5", "5e-1": "0.5", "-1e-400": "0", "1e400": "1e400",
		"9007199254740993": "9007199254740993", "9223372036854775808": "9223372036854775808", "1e17": "100000000000000000", "1e21": "1e+21",
		"9007199254740991.0": "9007199254740991", "0.99999999999999999999": "1",
	} {
		assert.Equal(t, want, string(memory.PlainJSON(memory.JSON(text))), text)
	}
}

func FuzzParseJSON(f *testing.F) {
	f.Add(`{"b":[1e400,"\u00e9"],"a":{"":null}}`)
	f.Add(`"\xff"`)
	f.Fuzz(func(t *testing.T, text string) {
		once, err := memory.ParseJSON([]byte(text))
		if err != nil {
			return
		}
		twice, err := memory.ParseJSON(once)
		if err != nil || string(twice) != string(once) {
			t.Fatalf("%q becomes %q, then %q (%v)", text, once, twice, err)
		}
	})
}
