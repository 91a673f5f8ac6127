package compaction

import (
	"slices"
	"strings"
)

// textSpan is a stretch of text that stays as it is.
type textSpan struct{ start, end int }

// protectedSpans finds code blocks (fenced, indented, behind a prompt), code spans and quoted strings,
// in order and apart from one another. Blocks are told apart as in CommonMark; spans and strings end
// within their paragraph.
func protectedSpans(text string) []textSpan {
	spans, _ := protectedSpansOf(text)
	return spans
}

// protectedSpansOf also says how much was looked at for signs that close (see inlineSpans).
func protectedSpansOf(text string) (spans []textSpan, looked int) {
	paragraph, fence, fenced := -1, "", 0
	flush := func(end int) {
		if paragraph >= 0 {
			inline, more := inlineSpans(text, paragraph, end)
			spans, looked = append(spans, inline...), looked+more
		}
		paragraph = -1
	}
	for start := 0; start < len(text); {
		line := lineAt(text, start)
		switch {
		case fence != "":
			if closesFence(line, fence) {
				spans = append(spans, textSpan{fenced, start + len(line)})
				fence = ""
			}
		case fenceOf(line) != "":
			flush(start)
			fence, fenced = fenceOf(line), start
		case strings.Trim(line, blanks) == "":
			flush(start)
		default:
			if paragraph < 0 {
				paragraph = start
			}
			if isCodeLine(line) {
				spans = append(spans, textSpan{start, start + len(line)})
			}
		}
		start += len(line) + 1
	}
	flush(len(text))
	if fence != "" { // to the end, but for the white space there, which no chunk would hold
		spans = append(spans, textSpan{fenced, len(strings.TrimRight(text, blanks))})
	}
	return merged(spans), looked
}

// lineAt is the line that begins at a position, without its end.
func lineAt(text string, start int) string {
	if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
		return text[start : start+i]
	}
	return text[start:]
}

// merged makes one of spans that overlap, and puts them in order.
func merged(spans []textSpan) []textSpan {
	slices.SortFunc(spans, func(a, b textSpan) int { return a.start - b.start })
	apart := spans[:0]
	for _, span := range spans {
		if last := len(apart) - 1; last >= 0 && span.start < apart[last].end {
			apart[last].end = max(apart[last].end, span.end)
			continue
		}
		apart = append(apart, span)
	}
	return apart
}

// fenceOf is the run of ` or ~ that opens a fenced block, empty where the line opens none.
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " \t")
	for _, sign := range []string{"`", "~"} {
		run := line[:len(line)-len(strings.TrimLeft(line, sign))]
		if len(run) >= 3 && (sign == "~" || !strings.Contains(line[len(run):], "`")) {
			return run
		}
	}
	return ""
}

func closesFence(line, fence string) bool {
	line = strings.Trim(line, blanks)
	return len(line) >= len(fence) && strings.Trim(line, fence[:1]) == ""
}

// isCodeLine says whether a line is indented like code or begins with a prompt.
func isCodeLine(line string) bool {
	if strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
		return true
	}
	line = strings.TrimLeft(line, " ")
	return strings.HasPrefix(line, "$ ") || strings.HasPrefix(line, ">>> ")
}

// inlineSpans finds the code spans and the quoted strings of a paragraph. Each sign is looked for once
// more at most after it was found to be the last, so the time is linear. looked is how many runs and bytes
// the closing signs were looked for in.
func inlineSpans(text string, start, end int) (spans []textSpan, looked int) {
	ticks := tickRunsOf(text, start, end)
	alone := map[string]bool{} // what nothing closes in the rest of the paragraph
	for at := start; at < end; {
		if text[at] == '`' {
			run := ticks.at(at)
			at = run.end
			if closing, found := ticks.closing(run); found {
				spans, at = append(spans, textSpan{start: run.start, end: closing.end}), closing.end
			}
			continue
		}
		opener, closer := quoteAt(text, at)
		if opener == "" || alone[opener] {
			at++
			continue
		}
		size := quoteEnd(text[at+len(opener):end], closer)
		if size < 0 {
			looked += end - at
			alone[opener] = true
			at++
			continue
		}
		looked += size
		size += len(opener)
		spans = append(spans, textSpan{start: at, end: at + size})
		at += size
	}
	return spans, looked + ticks.looked
}

// tickRuns are the runs of ` in a paragraph, in order, by their length.
type tickRuns struct {
	ofLength map[int][]textSpan
	end      int
	text     string
	looked   int
}

func tickRunsOf(text string, start, end int) *tickRuns {
	t := &tickRuns{ofLength: map[int][]textSpan{}, end: end, text: text}
	for at := start; at < end; {
		i := strings.IndexByte(text[at:end], '`')
		if i < 0 {
			break
		}
		run := t.at(at + i)
		length := run.end - run.start
		t.ofLength[length] = append(t.ofLength[length], run)
		at = run.end
	}
	return t
}

// at is the run, or what is left of it, that begins at a position.
func (t *tickRuns) at(start int) textSpan {
	run := textSpan{start: start, end: start}
	for run.end < t.end && t.text[run.end] == '`' {
		run.end++
	}
	return run
}

// closing is the next whole run behind one of the same length. It is asked for runs in order, so each
// is passed once.
func (t *tickRuns) closing(opening textSpan) (textSpan, bool) {
	length := opening.end - opening.start
	runs := t.ofLength[length]
	for len(runs) > 0 && runs[0].start < opening.end {
		t.looked++
		runs = runs[1:]
	}
	t.ofLength[length] = runs
	if len(runs) == 0 {
		return textSpan{}, false
	}
	return runs[0], true
}

// quoteAt is the sign at a position that opens a quoted string, and what closes it. An apostrophe opens
// one at the beginning of a word only.
func quoteAt(text string, at int) (opener, closer string) {
	rest := text[at:]
	switch {
	case rest[0] == '"':
		return `"`, `"`
	case strings.HasPrefix(rest, "“"):
		return "“", "”"
	case strings.HasPrefix(rest, "«"):
		return "«", "»"
	case rest[0] != '\'', len(rest) == 1, isBlank(rest[1]):
		return "", ""
	case at == 0, strings.IndexByte(blanks+`([{=:,"`, text[at-1]) >= 0:
		return "'", "'"
	}
	return "", ""
}

// quoteEnd is where a quoted string ends, its closing sign included; −1 where it does not. The
// apostrophe that closes one stands at the end of a word.
func quoteEnd(text, closer string) int {
	for at := 0; ; {
		i := strings.Index(text[at:], closer)
		if i < 0 {
			return -1
		}
		at += i + len(closer)
		if closer != "'" || at == len(text) || !isWordByte(text[at]) {
			return at
		}
	}
}

func isWordByte(b byte) bool {
	return b == '_' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}
