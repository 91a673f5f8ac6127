package memory_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
)

// hostileTexts are of about a size each, made to keep busy what goes over a text.
func hostileTexts(size int) map[string]string {
	of := func(piece string) string { return strings.Repeat(piece, size/len(piece)+1) }
	half := func(piece string) string { return strings.Repeat(piece, size/2/len(piece)+1) }
	var distinct strings.Builder
	for length := 2; distinct.Len() < size/2; length++ {
		distinct.WriteString(strings.Repeat("`", length) + " ")
	}
	texts := map[string]string{
		"runs of ticks, each of another length":       distinct.String() + half("a ` "),
		"a long word before signs that move":          half("a") + half(" basically,"),
		"many empty lines before what is taken out":   half("\n") + half("thanks\n "),
		"a long indentation before what is taken out": "a\n\n" + half(" ") + "\n" + half("thanks\n "),
		"blanks between lines":                        half(" \n") + half("hello.\n"),
	}
	for _, piece := range []string{
		`"`, "'", " '", "“", "«", `"a `, "`", "` ", "``` ", "```\n", "~~~\n", "(", " ", "\n", "\t", "\r\n", "a", "a,", "é", "\xff", "- ", "#", "> ", "$ ",
		"<private>", "</private>", "<private", "<private/>", "&lt;", "private ", "<       private", "\\u003cprivate",
		"please ", "really, ", "thanks. ", "in order ", "the a ", "well, of course, ", "i think that ", "    a\n", "a.b", "1,", "’", "**", "…", "👍🏽\u200d", "refund ",
	} {
		texts[fmt.Sprintf("%q", piece)] = of(piece)
	}
	return texts
}

// What goes over texts copies and gathers at most ten times as much for ten times the text, and some.
func TestLongTextsTakeWorkInProportion(t *testing.T) {
	matches := func(word string) bool { return strings.HasPrefix(word, "r") || word == "a" }
	for name, work := range map[string]func(text string){
		"compaction":   func(text string) { memory.CompactionFull.Text(text) },
		"private tags": func(text string) { memory.Redact(text) },
		"snippets":     func(text string) { memory.Snippet(text, matches, 200) },
		"titles":       func(text string) { memory.TitleOf(text) },
		"lessons":      func(text string) { memory.Lessons([]*memory.Episode{{Observation: text, Insight: text}}, 2000) },
	} {
		const size = 8 << 10
		small, large := hostileTexts(size), hostileTexts(10*size)
		for of, text := range small {
			once, tenTimes := allocated(func() { work(text) }), allocated(func() { work(large[of]) })
			assert.LessOrEqual(t, tenTimes, 20*once+10*size, "%s of %s: %d bytes are allocated for one, %d for ten times as much", name, of, once, tenTimes)
		}
	}
}

// allocated is how many bytes a function asks for.
func allocated(work func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

func TestClosingSignsAreLookedForInProportion(t *testing.T) {
	for name, text := range hostileTexts(100 << 10) {
		assert.LessOrEqual(t, memory.ClosingSignsLookedFor(text), 5*len(text), name)
	}
}
