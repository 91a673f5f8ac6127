// Package compaction shortens prose before it is kept, by rule and the same for the same text. It changes white space,
// and a few long-winded phrases where it is asked to. What may be more than prose stays byte for byte.
package compaction

import (
	"fmt"
	"strings"
)

// Level says how far prose is shortened before it is kept.
type Level string

// The closed set of levels.
const (
	Off Level = "OFF"
	// Lite is the default: it changes white space and nothing else.
	Lite Level = "LITE"
	// Full also puts a shorter wording in the place of a few phrases that mean the same.
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

// Text shortens the paragraphs of prose in a text; the zero level is the default. Runs of spaces become one space,
// spaces at the end of a line go, and one blank line stays between two paragraphs of prose. Everything else stays as it
// is: paragraphs that hold code, a quotation, a table, a diff or an indented line, and the blank lines beside them.
//
// Applied again it changes nothing more, it never makes a text longer, and its time is linear in the text.
func (l Level) Text(text string) string {
	if l == Off {
		return text
	}
	blocks, end := blocksOf(text)
	if len(blocks) == 0 {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	for i, b := range blocks {
		out.WriteString(gapBefore(blocks, i))
		if b.prose {
			b.text = squeezed(b.text)
			if l == Full {
				b.text = shortened(b.text)
			}
		}
		out.WriteString(b.text)
	}
	if !blocks[len(blocks)-1].prose {
		out.WriteString(end)
	}
	return out.String()
}

// gapBefore is the white space to keep before a block.
func gapBefore(blocks []block, i int) string {
	switch {
	case !blocks[i].prose || i > 0 && !blocks[i-1].prose:
		return blocks[i].gap
	case i == 0:
		return ""
	}
	return "\n\n"
}

// squeezed is prose with one space between words and none at the end of a line.
func squeezed(prose string) string {
	lines := strings.Split(prose, "\n")
	for i, line := range lines {
		lines[i] = spaces.ReplaceAllLiteralString(strings.TrimRight(line, blanks), " ")
	}
	return strings.Join(lines, "\n")
}
