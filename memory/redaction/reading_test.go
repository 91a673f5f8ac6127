package redaction_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory/redaction"
)

func TestReadingOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "plain äö\n\t": "plain äö\n\t",
		"ｐａｓｓ＝！～":                      "pass=!~",
		"p\u200ba\u00ads\ufeffs\x00":   "pass",
		"p&#97;s&#x73;&#58;&quot;":     `pass:"`,
		"&amp;amp;#97;&AMP;&amp;":      "a&&",
		"&#97b&#x61g&#":                "ab" + "ag&#",
		"&eacute;&nope;&#0;&a b":       "&eacute;&nope;&#0;&a b",
		"%61%3d%253D%25253d%E9%2%25":   "a===%E9%2%",
		"%EF%BC%9C%25EF%bc%259e%C3%A9": "<>%C3%A9",
		"&#38;#97;&#x26;lt;":           "a<",
		"a%00b%0Ac":                    "ab\nc",
		`\"a\\\"b\/c\\n\`:              `"a"b/c\\n\`,
		`\u0061\\u0022\u00e9\u00`:      `a"\u00e9\u00`,
		"\xff\x80p\xef\xbd":            "\xff\x80p\xef\xbd",
	} {
		read := redaction.ReadingOf(text, nil)
		assert.Equal(t, want, read.Text, "%q", text)
		assert.Equal(t, text != want, read.Changed())
	}
	unescaped := redaction.UnescapedOf(`\"a%22&#37;41&lt;`, nil)
	assert.Equal(t, `"a%22%41<`, unescaped.Text)
	folded := redaction.ReadingOf("𝐩=é", func(letter rune) rune {
		if letter == '𝐩' {
			return 'p'
		}
		return letter
	})
	assert.Equal(t, "p=é", folded.Text)
}

// Each byte of a reading has a place of its own in the text, from which it is read again, in the same order.
func TestPlacesOfAReading(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{
		"a", "é", "ａ", "\u200b", "%41", "%25", "41", "&#65;", "&#65", "&amp;", "#65;", "quot;", `\"`, `\\`, `\u0041`, "u0022", "\xff", "\x00", "&", "%", "<",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 1, 20).Draw(t, "pieces"), "")
		read := redaction.ReadingOf(text, nil)
		end := 0
		for i := range len(read.Text) {
			from, to := read.Place(i, i+1)
			require.LessOrEqual(t, end, from)
			require.Less(t, from, to)
			if read.Text[i] < 0x80 {
				again := redaction.ReadingOf(text[from:to], nil)
				require.Equal(t, read.Text[i:i+1], again.Text, "%q", text[from:to])
			}
			_, whole := read.Place(0, i+1)
			require.Equal(t, to, whole)
			end = to
		}
		require.LessOrEqual(t, end, len(text))
	})
}
