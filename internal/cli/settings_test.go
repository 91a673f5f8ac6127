package cli

import (
	"encoding/json"
	"strconv"
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

// What is put into a text is there, all else is as it was, and without it the text is the one before.
func TestLawOfSettings(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		was := rapid.MapOfN(rapid.SampledFrom([]string{"hooks", "a", "b"}), anyJSON(3), 0, 3).Draw(t, "was")
		text, err := json.MarshalIndent(was, "", rapid.SampledFrom([]string{"", " ", "    ", "\t"}).Draw(t, "indent"))
		require.NoError(t, err)
		if rapid.Bool().Draw(t, "compact") {
			text, err = json.Marshal(was)
			require.NoError(t, err)
		}
		path := rapid.SampledFrom([][]string{{"hooks", "Stop", "new"}, {"hooks", "new"}, {"new"}, {"hooks", "-"}}).Draw(t, "path")
		value := anyJSON(2).Draw(t, "value")
		with, err := jsonWith(text, value, path...)
		if err != nil {
			require.ErrorContains(t, err, "of another kind")
			return
		}
		at := append([]string{}, path...)
		if last := len(path) - 1; path[last] == "-" {
			_, held, err := jsonFind(with, "", path[:last])
			require.NoError(t, err)
			at[last] = strconv.Itoa(len(jsonKids(with, held[last])) - 1)
		}
		_, found, err := jsonFind(with, "", at)
		require.NoError(t, err)
		require.Len(t, found, len(at)+1, string(with))
		node := found[len(at)]
		written, err := json.Marshal(value)
		require.NoError(t, err)
		require.Equal(t, asJSON(t, written), asJSON(t, with[node.value:node.to]))
		without, err := jsonWithout(with, "", at...)
		require.NoError(t, err)
		held := 0
		switch hooks := was["hooks"].(type) {
		case map[string]any:
			if stop, ok := hooks["Stop"].(map[string]any); ok && len(stop) == 0 && len(path) == 3 && path[1] == "Stop" {
				delete(hooks, "Stop")
				text = nil
			}
			held = len(hooks)
		case []any:
			held = len(hooks)
		}
		switch {
		case path[0] == "hooks" && held == 0 || len(was) == 0:
			require.NotContains(t, asJSON(t, without), "hooks", "what held nothing else goes, too")
		case text == nil:
			require.Equal(t, any(was), asJSON(t, without), "what held nothing else goes, too")
		default:
			require.Equal(t, string(text), string(without))
		}
	})
}

func TestLineDiff(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "+ {}\n", lineDiff("", "{}\n"))
	assert.Equal(t, "  b\n  c\n- d\n- e\n+ x\n+ d\n+ y\n  f\n  g\n", lineDiff(strings.Join(strings.Split("abcdefgh", ""), "\n"), strings.Join(strings.Split("abcxdyfgh", ""), "\n")))
	assert.Equal(t, "  {\n+ \"a\": 1\n  }\n", lineDiff("{\n}\n", "{\n\"a\": 1\n}\n"))
}
