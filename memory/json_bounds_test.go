package memory_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
)

// nested is a value of the given depth.
func nested(depth int) string {
	return strings.Repeat(`{"a":[`, depth/2) + strings.Repeat("[", depth%2) + strings.Repeat("]", depth%2) + strings.Repeat("]}", depth/2)
}

func TestJSONBounds(t *testing.T) {
	t.Parallel()
	bounds := memory.JSONBounds{Depth: 4, Keys: 3, Bytes: 64}
	for text, fits := range map[string]bool{
		`null`: true, `"[[[[[[["`: true, `"\"[[[[[[["`: true, `"\\"`: true, `{"a":1,"b":2,"c":{}}`: true, `{"::::":":::"}`: true,
		nested(4): true, nested(5): false, `[[],[],[],[[[[]]]]]`: false, `[{"a":1},{"b":1},{"c":1},{"d":1}]`: false,
		`"` + strings.Repeat("x", 62) + `"`: true, `"` + strings.Repeat("x", 63) + `"`: false,
		`"an open end`: true, `"\`: true, `]]]]`: true,
	} {
		err := bounds.Check("metadata", []byte(text))
		if fits {
			assert.NoError(t, err, text)
			continue
		}
		var refused *memory.Error
		require.True(t, errors.As(err, &refused), text)
		assert.Equal(t, memory.CodeLimitExceeded, refused.Code)
		assert.Equal(t, "metadata", refused.Field)
	}
}

// Depth and keys are those that a decoder finds.
func TestJSONBoundsCountAsADecoderDoes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Custom(anyJSON(4)).Draw(t, "value")
		text, err := json.Marshal(value)
		require.NoError(t, err)
		depth, keys := depthWithin(value), keysWithin(value)
		assert.NoError(t, memory.JSONBounds{Depth: depth, Keys: keys}.Check("", text))
		if depth > 0 {
			assert.Error(t, memory.JSONBounds{Depth: depth - 1}.Check("", text))
		}
		if keys > 1 {
			assert.Error(t, memory.JSONBounds{Depth: depth, Keys: keys - 1}.Check("", text))
		}
	})
}

func anyJSON(depth int) func(*rapid.T) any {
	return func(t *rapid.T) any {
		text := rapid.StringOf(rapid.SampledFrom([]rune(`a"\[]{}:,é`)))
		if depth == 0 {
			return text.Draw(t, "text")
		}
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			return rapid.SliceOfN(rapid.Custom(anyJSON(depth-1)), 0, 3).Draw(t, "list")
		case 1:
			return rapid.MapOfN(text, rapid.Custom(anyJSON(depth-1)), 0, 3).Draw(t, "object")
		case 2:
			return rapid.Float64Range(-1e9, 1e9).Draw(t, "number")
		default:
			return text.Draw(t, "text")
		}
	}
}

func depthWithin(value any) (depth int) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			depth = max(depth, depthWithin(item))
		}
		return depth + 1
	case map[string]any:
		for _, item := range v {
			depth = max(depth, depthWithin(item))
		}
		return depth + 1
	}
	return 0
}

func keysWithin(value any) (keys int) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			keys += keysWithin(item)
		}
	case map[string]any:
		for _, item := range v {
			keys += 1 + keysWithin(item)
		}
	}
	return keys
}

func TestKeptJSON(t *testing.T) {
	t.Parallel()
	for _, good := range []string{``, `null`, `{"a":[1]}`, nested(memory.KeptJSON.Depth)} {
		assert.NoError(t, memory.CheckKeptJSON(memory.JSON(good)), good)
	}
	for _, bad := range []string{`{`, `{"a":1}x`, "\x00", "{\"a\":\"\xff\"}", nested(memory.KeptJSON.Depth + 1), nested(9998)} {
		assert.Error(t, memory.CheckKeptJSON(memory.JSON(bad)), bad)
	}
}

func FuzzJSONBounds(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"\"}"}]}`))
	f.Add([]byte(`"\`))
	f.Add([]byte(nested(70)))
	f.Fuzz(func(t *testing.T, text []byte) {
		if memory.InputJSON.Check("", text) != nil {
			return
		}
		if value, err := memory.ParseJSON(text); err == nil {
			assert.NoError(t, memory.CheckKeptJSON(value), "what is accepted can be read")
		}
	})
}
