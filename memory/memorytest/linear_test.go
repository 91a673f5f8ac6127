package memorytest_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/compaction"
	"mneme/memory/memorytest"
	"mneme/memory/prose"
	"mneme/memory/ranking"
	"mneme/memory/redaction"
	"mneme/memory/summary"
)

// What goes over texts copies and gathers at most ten times as much for ten times the text, and some.
func TestLongTextsTakeWorkInProportion(t *testing.T) {
	matches := func(word string) bool { return strings.HasPrefix(word, "r") || word == "a" }
	for name, work := range map[string]func(text string){
		"compaction":   func(text string) { compaction.Full.Text(text) },
		"private tags": func(text string) { redaction.Redact(text) },
		"snippets":     func(text string) { prose.Snippet(text, matches, 200) },
		"titles":       func(text string) { summary.Title(text) },
		"lessons": func(text string) {
			ranking.Lessons(ranking.Recalled{Hits: []*memory.Episode{{Observation: text, Insight: text}}, Likeness: ranking.Alike}, memorytest.Rules, 2000)
		},
	} {
		const size = 8 << 10
		small, large := memorytest.HostileTexts(size), memorytest.HostileTexts(10*size)
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
