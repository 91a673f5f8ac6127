package compaction

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const blanks = " \t\r\n"

var spaces = regexp.MustCompile(` {2,}`)

// block is a paragraph or a fenced block of code, and the white space between it and the one before.
type block struct {
	gap, text string
	prose     bool
}

// blocksOf takes a text apart; end is the white space behind the last block. All of them in a row are the text.
func blocksOf(text string) (blocks []block, end string) {
	gap, start, at, fence := 0, 0, 0, ""
	flush := func(prose bool) {
		if start < at {
			body := strings.TrimSuffix(text[start:at], "\n")
			blocks = append(blocks, block{gap: text[gap:start], text: body, prose: prose && isProse(body)})
			gap = start + len(body)
		}
		start = at
	}
	for line := range strings.Lines(text) {
		opens := fenceOf(line)
		switch {
		case fence != "":
			at += len(line)
			if closesFence(line, fence) {
				fence = ""
				flush(false)
			}
			continue
		case opens != "":
			flush(true)
			fence = opens
		case strings.Trim(line, blanks) == "":
			flush(true)
			start = at + len(line)
		}
		at += len(line)
	}
	flush(fence == "")
	return blocks, text[gap:]
}

// fenceOf is the run of ` or ~ that opens a fenced block, empty where the line opens none.
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " \t")
	for _, sign := range []string{"`", "~"} {
		run := line[:len(line)-len(strings.TrimLeft(line, sign))]
		if len(run) >= 3 && (sign == "~" || !strings.Contains(line[len(run):], sign)) {
			return run
		}
	}
	return ""
}

func closesFence(line, fence string) bool {
	line = strings.Trim(line, blanks)
	return len(line) >= len(fence) && strings.Trim(line, fence[:1]) == ""
}

// notProse is what stands in code, quotations and tables: backticks, quotes, bars, tabs.
var notProse = regexp.MustCompile("[`\"“”„«»‘|\t]|(?:^|[^\\pL\\pN])'")

// isProse says whether a paragraph is plain prose: each line begins with a letter or a digit, so none is indented, or
// added or removed in a diff, and no two lines have wide gaps, as the rows of a table have.
func isProse(paragraph string) bool {
	if notProse.MatchString(paragraph) {
		return false
	}
	wide := 0
	for line := range strings.Lines(paragraph) {
		if first, _ := utf8.DecodeRuneInString(line); !unicode.IsLetter(first) && !unicode.IsDigit(first) {
			return false
		}
		if spaces.MatchString(strings.TrimRight(line, blanks)) {
			wide++
		}
	}
	return wide < 2
}
