package memory_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory"
)

func TestJoinKey(t *testing.T) {
	t.Parallel()
	for key, parts := range map[string][]string{
		"run-1/intro":       {"run-1", "intro"},
		"a%2Fb/c":           {"a/b", "c"},
		"100%25/x":          {"100%", "x"},
		"a%0Ab":             {"a\nb"},
		"a%C2%85b":          {"a\u0085b"},
		"/":                 {"", ""},
		"":                  {""},
		"agent:7/flug:köln": {"agent:7", "flug:köln"},
		"�/%252F":           {"\uFFFD", "%2F"},
	} {
		assert.Equal(t, key, memory.JoinKey(parts...))
		assert.Equal(t, parts, memory.SplitKey(key))
	}
}

func TestSplitKeyOfWhatNobodyEscaped(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{"50%", "%zz", "%2"}, memory.SplitKey("50%/%zz/%2"))
}

func TestKeysComeBackAsTheirParts(t *testing.T) {
	t.Parallel()
	part := rapid.OneOf(rapid.String(), rapid.StringMatching(`[%/0-9A-F\x00-\x20]{0,8}`))
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(part, 1, 5).Draw(t, "parts")
		key := memory.JoinKey(parts...)
		assert.Equal(t, parts, memory.SplitKey(key))
		assert.Equal(t, len(parts)-1, strings.Count(key, "/"))
		if key != "" && len(key) <= memory.MaxKeyBytes {
			assert.NoError(t, memory.CheckKey("id", key))
		}
	})
}
