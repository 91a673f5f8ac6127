package meaning

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func codeOf(text string) []Code {
	if v, ok := Encode(text); ok {
		return []Code{v.Code()}
	}
	return nil
}

func TestCodesWorked(t *testing.T) {
	t.Parallel()
	late, praise := "the parcel came late", "thanks for the refund"
	assert.Equal(t, codeOf(late), Codes(8, late), "a line is not said twice")
	assert.Equal(t, codeOf(late), Codes(8, "\n"+late+"\n \n"))
	both := late + "\n\n" + praise
	assert.Equal(t, append(append(codeOf(both), codeOf(late)...), codeOf(praise)...), Codes(8, both))
	assert.Equal(t, append(codeOf(both), codeOf(late)...), Codes(2, both), "the whole is of all lines")
	assert.Equal(t, Codes(8, both), Codes(8, late, "", praise), "texts are lines")
	assert.Equal(t, codeOf(both), Codes(1, both))
	assert.Empty(t, Codes(0, both))
	for _, silent := range []string{"", "\n\n", "🙂"} {
		assert.Empty(t, Codes(8, silent), "%q", silent)
	}
	long := strings.Repeat("ice on the pond\n", 2000)
	assert.Equal(t, codeOf(long), Codes(1, long), "as much is read of it")
	assert.Len(t, Codes(8, long), 8)
}

// The whole is what Encode makes of it, and each line what it is alone.
func TestCodesAreThoseOfTheLines(t *testing.T) {
	t.Parallel()
	words := rapid.SampledFrom([]string{"late", "parcel", "\n", "refund", "é", "", "\r\n", "ice.\nice", "🙂"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(words, 0, 40).Draw(t, "words"), " ")
		most := rapid.IntRange(1, 9).Draw(t, "most")
		want := codeOf(text)
		var lines []Code
		for line := range strings.Lines(text) {
			lines = append(lines, codeOf(line)...)
		}
		if len(lines) > 1 {
			want = append(want, lines...)
		}
		assert.Equal(t, want[:min(len(want), most)], append([]Code(nil), Codes(most, text)...))
	})
}
