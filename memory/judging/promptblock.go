package judging

import (
	"fmt"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/memory/prose"
)

// promptLine is a line of a prompt block under the headings that lead to it. Lines of one part are in the
// order in which they are shown.
type promptLine struct {
	headings []string
	text     string
}

const historyHeading = "# Historical Learnings (from previous runs)"

// PromptBlock is the guidance as a block for a prompt, at most maxTokens long (see memory.EstimateTokens). Where it
// would be longer, the longest lines are cut first, and where that is not enough, lines are left out: first the worst
// of history, then warnings of the run, then the oldest of the section's own feedback, last what the newest asks for
// and itself. The block is empty where there is nothing to say or nothing fits. Fewer than one token is INVALID_INPUT.
func (g *Guidance) PromptBlock(maxTokens int) (string, error) {
	lines, importance := g.promptLines()
	chosen := func(n int) []promptLine {
		indexes := slices.Sorted(slices.Values(importance[:n]))
		kept := make([]promptLine, n)
		for i, index := range indexes {
			kept[i] = lines[index]
		}
		return kept
	}
	n, limit := prose.Fit(len(lines), maxTokens, func(n, limit int) int { return promptSize(chosen(n), limit) })
	return promptText(chosen(n), limit), memory.CheckTokens("maxTokens", maxTokens)
}

// promptLines is what there is to say in the order in which it is shown, and the indexes of it in the
// order in which it matters.
func (g *Guidance) promptLines() (lines []promptLine, importance []int) {
	add := func(texts []string, bullet string, headings ...string) (indexes []int) {
		for _, text := range texts {
			indexes = append(indexes, len(lines))
			lines = append(lines, promptLine{headings, bullet + prose.OneLine(text)})
		}
		return indexes
	}
	dos := add(g.Dos, "- ", historyHeading, "## Patterns That Work Well ✓")
	donts := add(g.Donts, "- ", historyHeading, "## Common Pitfalls to Avoid ⚠️")
	warned := add(g.Warnings, "- ", "# Cross-Section Warnings (from this run)")
	refinement := fmt.Sprintf("# Iteration %d - Refinement Feedback", g.iteration)
	told, asked := add(g.feedback, "", refinement), add(g.revisionLines(), "", refinement)
	slices.Reverse(told)
	newest := min(len(told), 1)
	importance = slices.Concat(told[:newest], asked, told[newest:], warned)
	for i := range max(len(dos), len(donts)) {
		importance = append(importance, donts[min(i, len(donts)):min(i+1, len(donts))]...)
		importance = append(importance, dos[min(i, len(dos)):min(i+1, len(dos))]...)
	}
	return lines, importance
}

// revisionLines is what the last rejection asks for, in the order in which it matters: what to fix, what to keep, what
// to look at.
func (g *Guidance) revisionLines() []string {
	lines := []string{}
	if g.revision == nil {
		return lines
	}
	for _, fix := range g.revision.SpecificFixes[:min(len(g.revision.SpecificFixes), MaxFeedbackEntries)] {
		lines = append(lines, "Fix: "+fix)
	}
	lines = append(lines, g.revision.Avoid[:min(len(g.revision.Avoid), MaxFeedbackEntries)]...)
	if areas := g.revision.FocusAreas; len(areas) > 0 {
		lines = append(lines, "Focus on: "+strings.Join(areas[:min(len(areas), MaxFeedbackEntries)], ", "))
	}
	return lines
}

// promptSize is the length of what promptText gives, at most.
func promptSize(lines []promptLine, limit int) int {
	size, before := 0, []string(nil)
	for _, line := range lines {
		for _, heading := range newHeadings(before, line.headings) {
			size += len("\n") + len(heading) + len("\n")
		}
		size += min(len(line.text), limit) + len("\n")
		before = line.headings
	}
	return max(size-len("\n\n"), 0) // the block starts and ends without a line break
}

func promptText(lines []promptLine, limit int) string {
	var text strings.Builder
	before := []string(nil)
	for _, line := range lines {
		for _, heading := range newHeadings(before, line.headings) {
			text.WriteString("\n" + heading + "\n")
		}
		text.WriteString(prose.ShortenBytes(line.text, limit) + "\n")
		before = line.headings
	}
	return strings.Trim(text.String(), "\n")
}

// newHeadings are those of a line that did not stand above the line before it.
func newHeadings(before, headings []string) []string {
	for i, heading := range headings {
		if i >= len(before) || before[i] != heading {
			return headings[i:]
		}
	}
	return nil
}
