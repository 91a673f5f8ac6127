package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// anyJSON draws a value whose members may be those that are changed.
func anyJSON(depth int) *rapid.Generator[any] {
	plain := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Just[any](true), rapid.Map(rapid.Float64Range(-9, 9), func(n float64) any { return n }), rapid.Map(rapid.String(), func(s string) any { return s }),
	}
	if depth == 0 {
		return rapid.OneOf(plain...)
	}
	keys := rapid.OneOf(rapid.SampledFrom([]string{"hooks", "Stop", "a", "é\"", ""}), rapid.String())
	objects := rapid.Map(rapid.MapOfN(keys, anyJSON(depth-1), 0, 4), func(m map[string]any) any { return m })
	lists := rapid.Map(rapid.SliceOfN(anyJSON(depth-1), 0, 3), func(l []any) any { return l })
	return rapid.OneOf(append(plain, objects, objects, lists)...)
}

func asJSON(t require.TestingT, text []byte) (value any) {
	require.NoError(t, json.Unmarshal(text, &value), string(text))
	return value
}

// What is put into a text is there, all else is as it was and in its order, and without it the text is the one before.
func TestLawOfSettings(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		was := rapid.MapOfN(rapid.SampledFrom([]string{"hooks", "z", "a", "b"}), anyJSON(3), 0, 3).Draw(t, "was")
		text, err := json.MarshalIndent(was, "", "  ")
		require.NoError(t, err)
		text = append(text, '\n')
		path := rapid.SampledFrom([][]string{{"hooks", "Stop", "new"}, {"hooks", "new"}, {"new"}}).Draw(t, "path")
		value, err := json.Marshal(anyJSON(2).Draw(t, "value"))
		require.NoError(t, err)
		with, err := withJSON(text, func(json.RawMessage) (json.RawMessage, error) { return value, nil }, path)
		if err != nil {
			require.ErrorContains(t, err, "is no object")
			return
		}
		at := asJSON(t, with)
		for _, key := range path {
			holder, ok := at.(map[string]any)
			require.True(t, ok)
			at = holder[key]
		}
		require.Equal(t, asJSON(t, value), at)
		without, err := withJSON(with, func(json.RawMessage) (json.RawMessage, error) { return nil, nil }, path)
		require.NoError(t, err)
		if hooks, ok := was["hooks"].(map[string]any); ok && path[0] == "hooks" { // what held nothing else goes, too
			if stop, ok := hooks["Stop"].(map[string]any); ok && len(stop) == 0 && len(path) == 3 {
				delete(hooks, "Stop")
			}
			if len(hooks) == 0 {
				delete(was, "hooks")
			}
			require.Equal(t, any(was), asJSON(t, without))
			return
		}
		require.Equal(t, string(text), string(without))
	})
}

func TestLineDiff(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "+ {}\n", lineDiff("", "{}\n"))
	assert.Equal(t, "  b\n  c\n- d\n- e\n+ x\n+ d\n+ y\n  f\n  g\n", lineDiff(strings.Join(strings.Split("abcdefgh", ""), "\n"), strings.Join(strings.Split("abcxdyfgh", ""), "\n")))
	assert.Equal(t, "  {\n+ \"a\": 1\n  }\n", lineDiff("{\n}\n", "{\n\"a\": 1\n}\n"))
}
