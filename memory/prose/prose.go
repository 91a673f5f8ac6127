package prose

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneLine makes every run of white space one blank and trims the ends.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Shorten cuts text that is longer than the given runes, between words where the last word is not
// most of it, and marks the cut; the mark counts.
func Shorten(text string, runes int) string {
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

// ShortenBytes is Shorten with the length in bytes; it never cuts a rune in two.
func ShortenBytes(text string, size int) string {
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

const ellipsis = "…"

// Sentence quotes a text on one line, shortened, with an end.
func Sentence(text string) string {
	quoted := Shorten(OneLine(text), quotedRunes)
	if last, _ := utf8.DecodeLastRuneInString(quoted); strings.ContainsRune(".!?…", last) {
		return quoted
	}
	return quoted + "."
}

// quotedRunes is how much of a step's result, or of the episode's, an insight quotes.
const quotedRunes = 160

// CountRuns replaces a word that stands n times in a row by "word ×n".
func CountRuns(words []string) []string {
	runs := make([]string, 0, len(words))
	for i := 0; i < len(words); {
		j := i + 1
		for j < len(words) && words[j] == words[i] {
			j++
		}
		if n := j - i; n > 1 {
			runs = append(runs, fmt.Sprintf("%s ×%d", words[i], n))
		} else {
			runs = append(runs, words[i])
		}
		i = j
	}
	return runs
}

// Listed is "a", "a and b", or "a, b and c", with the given word before the last, such as "and".
func Listed[T ~string](words []T, before string) string {
	var said strings.Builder
	for i, word := range words {
		switch {
		case i == 0:
		case i < len(words)-1:
			said.WriteString(", ")
		default:
			said.WriteString(" " + before + " ")
		}
		said.WriteString(string(word))
	}
	return said.String()
}

// Plural is "1 step" or "3 steps".
func Plural(n int, noun string) string { return Counted(n, noun, noun+"s") }

// Counted is "1 canvas" or "3 canvases", for what an "s" does not make a plural of.
func Counted(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}
