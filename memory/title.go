package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxTitleRunes is the length of the titles that TitleOf makes.
const MaxTitleRunes = 80

// untitled stands where there is nothing to make a title from.
const untitled = "Untitled episode"

const ellipsis = "…"

// TitleOf makes a title from an observation, for an episode recorded without one: its first line
// that says anything, cut between words at MaxTitleRunes. It is never empty.
func TitleOf(observation string) string {
	for line := range strings.Lines(observation) {
		if title := oneLine(line); title != "" {
			return shorten(title, MaxTitleRunes)
		}
	}
	return untitled
}

// oneLine makes every run of white space one blank and trims the ends.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// shorten cuts text that is longer than the given runes, between words where the last word is not
// most of it, and marks the cut; the mark counts.
func shorten(text string, runes int) string {
	if utf8.RuneCountInString(text) <= runes {
		return text
	}
	cut := 0
	for range max(runes-1, 0) {
		_, size := utf8.DecodeRuneInString(text[cut:])
		cut += size
	}
	return markCut(text[:cut], text[cut:])
}

// shortenBytes is shorten with the length in bytes; it never cuts a rune in two.
func shortenBytes(text string, size int) string {
	if len(text) <= size {
		return text
	}
	cut := size - len(ellipsis)
	if cut < 0 {
		return ""
	}
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return markCut(text[:cut], text[cut:])
}

// markCut ends kept at its last whole word, unless that would lose more than a third of it.
func markCut(kept, rest string) string {
	if next, _ := utf8.DecodeRuneInString(rest); !unicode.IsSpace(next) {
		if space := strings.LastIndexFunc(kept, unicode.IsSpace); space > len(kept)*2/3 {
			kept = kept[:space]
		}
	}
	return strings.TrimRightFunc(kept, unicode.IsSpace) + ellipsis
}
