package compaction

import (
	"fmt"
	"strings"
)

// Level says how much of what carries no meaning is taken out of prose before it is kept.
type Level string

// The closed set of levels.
const (
	Off Level = "OFF"
	// Lite is the default: pleasantries, fillers, long-winded phrases and white space.
	Lite Level = "LITE"
	// Full takes articles and hedges too, so it says what was hedged as certain.
	Full Level = "FULL"
)

// Levels lists them, the mildest first.
var Levels = []Level{Off, Lite, Full}

// Parse reads the name of a level in any case; nothing is the default.
func Parse(name string) (Level, error) {
	if name == "" {
		return Lite, nil
	}
	for _, level := range Levels {
		if strings.EqualFold(string(level), name) {
			return level, nil
		}
	}
	return "", fmt.Errorf("%q is no level of compaction; there are %s, %s and %s", name, Off, Lite, Full)
}

// compactPasses is how often a text is gone over until nothing changes. Two are usual, since what is
// taken out seldom brings more together; a text made to need more stays as it is.
const compactPasses = 8

// Text compacts prose, by rule and by a list of English phrases; the zero level is the default. It never
// grows a text, gives the same for the same, changes nothing when it is applied again, and its time is
// linear in the text.
//
// What it does not know it leaves alone, byte for byte: code blocks and spans, commands, quoted strings,
// URLs, paths, versions, dates, numbers, identifiers (anything but a plain English word in lower case or
// with a capital at its beginning) and all text in other languages. A text is never compacted to nothing.
func (c Level) Text(text string) string {
	if c == Off {
		return text
	}
	compacted := text
	for range compactPasses {
		next := c.pass(compacted)
		switch next {
		case "":
			return text
		case compacted:
			return compacted
		}
		compacted = next
	}
	return text
}

// pass goes over a text once. The full level comes after the other, whose phrases have articles in them.
func (c Level) pass(text string) string {
	text = rewrite(text, false)
	if c == Full {
		text = rewrite(text, true)
	}
	return text
}

// rewrite applies the phrases sentence by sentence, and then takes out white space.
func rewrite(text string, full bool) string {
	chunks := chunksOf(text)
	rules := sentenceRules{full: full}
	for sentence := range sentencesOf(chunks) {
		rules.rewrite(sentence)
	}
	kept := chunks[:0]
	gap, dropped := "", false // the white space before what was dropped
	for _, part := range chunks {
		if dropped {
			part.gap = joinGaps(gap, part.gap)
		}
		gap, dropped = part.gap, part.text == ""
		if !dropped {
			kept = append(kept, part)
		}
	}
	return assemble(kept, len(text))
}

// assemble writes the chunks with as little white space between them as their structure needs.
func assemble(chunks []chunk, size int) string {
	var out strings.Builder
	out.Grow(size)
	for i, part := range chunks {
		switch lines := linesIn(part.gap); {
		case i == 0:
			out.WriteString(indentation(part.gap))
		case lines > 0:
			out.WriteString(part.gap)
		case part.plain() || chunks[i-1].plain():
			out.WriteByte(' ')
		default:
			out.WriteString(part.gap)
		}
		out.WriteString(part.text)
	}
	return out.String()
}

// linesIn counts the line ends in a gap.
func linesIn(gap string) int {
	if len(gap) == 1 && gap[0] == ' ' { // nearly all of them
		return 0
	}
	return strings.Count(gap, "\n")
}

// indentation is the blanks at the beginning of a line, after the last line end of a gap.
func indentation(gap string) string { return gap[strings.LastIndexByte(gap, '\n')+1:] }

// tidyGap is a gap with at most two line ends, and between lines no more than the indentation: all that counts
// of it. So those that are joined are short, however long they were.
func tidyGap(gap string) string {
	lines := linesIn(gap)
	if lines == 0 {
		return gap
	}
	return "\n\n"[:min(lines, 2)] + indentation(gap)
}

// joinGaps is the white space that is left where a chunk between two gaps was dropped: a line that is
// left keeps its beginning, a line that is gone takes its end along.
func joinGaps(before, after string) string {
	switch {
	case linesIn(after) == 0:
		return before
	case linesIn(before) > linesIn(after):
		return before[:strings.LastIndexByte(before, '\n')+1] + indentation(after)
	}
	return after
}
