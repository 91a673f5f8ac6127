package prose_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory/prose"
)

func TestShorten(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text  string
		runes int
		want  string
	}{
		{"as it is", 8, "as it is"},
		{"between words", 10, "between…"},
		{"a verylongword", 10, "a verylon…"},
		{"ünïcödé", 4, "ünï…"},
		{"anything", 1, "…"},
	} {
		assert.Equal(t, test.want, prose.Shorten(test.text, test.runes), test.text)
	}
}

func TestShortenedTextsFit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, size := rapid.String().Draw(t, "text"), rapid.IntRange(1, 40).Draw(t, "size")
		assert.LessOrEqual(t, utf8.RuneCountInString(prose.Shorten(text, size)), size)
		bytes := prose.ShortenBytes(text, size)
		assert.LessOrEqual(t, len(bytes), size)
		assert.True(t, utf8.ValidString(bytes))
	})
}

func TestWording(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "one line", prose.OneLine(" one\n\t line "))
	assert.Equal(t, "1 step", prose.Plural(1, "step"))
	assert.Equal(t, "0 steps", prose.Plural(0, "step"))
	assert.Equal(t, "It works.", prose.Sentence("It\nworks"))
	assert.Equal(t, "Why?", prose.Sentence("Why?"))
	assert.Equal(t, []string{"look ×2", "book", "look"}, prose.CountRuns([]string{"look", "look", "book", "look"}))
}

func TestListed(t *testing.T) {
	t.Parallel()
	assert.Empty(t, prose.Listed([]string{}, "and"))
	assert.Equal(t, "a", prose.Listed([]string{"a"}, "and"))
	assert.Equal(t, "a and b", prose.Listed([]string{"a", "b"}, "and"))
	assert.Equal(t, "a, b or c", prose.Listed([]string{"a", "b", "c"}, "or"))
}

// Two texts and a head line of four bytes, in budgets of tokens of four bytes.
func TestFitCutsTheLongestFirstAndThenLeavesOut(t *testing.T) {
	t.Parallel()
	lengths := []int{400, 200}
	size := func(n, limit int) int {
		size := 4
		for _, length := range lengths[:n] {
			size += min(length, limit)
		}
		return size
	}
	for tokens, want := range map[int][2]int{
		151: {2, 400}, // all of it
		126: {2, 300}, // 4 + 300 + 200
		61:  {2, 120}, // the least of two texts
		60:  {1, 236}, // the last is left out
		5:   {1, 16},
		4:   {0, 0},
	} {
		kept, limit := prose.Fit(2, tokens, size)
		assert.Equal(t, want[0], kept, tokens)
		if want[0] > 0 {
			assert.Equal(t, size(kept, want[1]), size(kept, limit), tokens)
		}
	}
}
