package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// snippetMark stands on either side of a matching word.
const snippetMark = "**"

// Snippet shows the part of a text that has most of the matching words, on one line: whole words only, each match
// between "**" and "**", "…" where text was left out. It is at most maxRunes long, the marks aside. Most are the most
// different words, then the most words, then the earliest; without a match it is the beginning of the text. matches is
// asked for each stretch of letters, digits and '_' as it stands in the text, with an apostrophe or a dot inside, or a
// comma between digits. A single word longer than the snippet is cut.
func Snippet(text string, matches func(word string) bool, maxRunes int) string {
	s := snippet{text: OneLine(strings.ToValidUTF8(text, "\uFFFD"))}
	s.runes = utf8.RuneCountInString(s.text)
	s.find(matches)
	switch {
	case s.runes <= maxRunes:
		return s.show(0, len(s.text))
	case len(s.matched) == 0:
		return Shorten(s.text, max(maxRunes, 1))
	}
	from, to, ok := s.window(max(maxRunes-2, 1)) // an ellipsis on either side
	if !ok {
		return Shorten(s.text[s.matched[0].start:], max(maxRunes, 1)) // a word longer than the snippet
	}
	return s.show(from, to)
}

// span is a matching word of a text, in bytes and in runes.
type span struct {
	start, end         int
	startRune, endRune int
	word               string // in lower case
}

type snippet struct {
	text    string
	runes   int
	matched []span
}

// find takes the text apart into words and keeps those that match.
func (s *snippet) find(matches func(string) bool) {
	current, inside, runes := span{}, false, 0
	for i, r := range s.text + " " {
		switch {
		case inside && !inWord(r) && !joinsWord(s.text, i, r):
			inside = false
			current.end, current.endRune = i, runes
			if word := s.text[current.start:i]; matches(word) {
				current.word = strings.ToLower(word)
				s.matched = append(s.matched, current)
			}
		case !inside && inWord(r):
			inside = true
			current = span{start: i, startRune: runes}
		}
		runes++
	}
}

func inWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// joinsWord says whether a sign inside a word keeps it together: it's, 3.5, 1,000.
func joinsWord(text string, at int, r rune) bool {
	if r != '\'' && r != '’' && r != '.' && r != ',' {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[at+utf8.RuneLen(r):])
	last, _ := utf8.DecodeLastRuneInString(text[:at])
	if r == ',' {
		return unicode.IsNumber(last) && unicode.IsNumber(next)
	}
	return inWord(last) && inWord(next)
}

// window picks the matches to show and widens the text around them to whole words; ok is false where
// not one match fits.
func (s *snippet) window(size int) (from, to int, ok bool) {
	first, last, ok := s.best(size)
	if !ok {
		return 0, 0, false
	}
	spare := size - (last.endRune - first.startRune)
	from, fromRune := s.widenLeft(first, max(spare/2, spare-(s.runes-last.endRune)))
	to = s.widenRight(last, size-(last.endRune-fromRune))
	return from, to, true
}

// best slides over the matches and keeps the richest run of them that fits.
func (s *snippet) best(size int) (first, last span, ok bool) {
	counts := map[string]int{}
	bestWords, bestMatches, left := 0, 0, 0
	for right, m := range s.matched {
		counts[m.word]++
		for left <= right && m.endRune-s.matched[left].startRune > size {
			if word := s.matched[left].word; counts[word] > 1 {
				counts[word]--
			} else {
				delete(counts, word)
			}
			left++
		}
		n := right - left + 1
		if n > 0 && (len(counts) > bestWords || len(counts) == bestWords && n > bestMatches) {
			bestWords, bestMatches, ok = len(counts), n, true
			first, last = s.matched[left], m
		}
	}
	return first, last, ok
}

// widenLeft goes back by whole blank-separated words, at most the given runes; to the very beginning
// where that is in reach.
func (s *snippet) widenLeft(first span, runes int) (from, fromRune int) {
	from, fromRune = first.start, first.startRune
	if first.startRune <= runes {
		return 0, 0
	}
	for i, at := first.start, first.startRune; i > 0 && first.startRune-at <= runes; at-- {
		r, length := utf8.DecodeLastRuneInString(s.text[:i])
		if r == ' ' {
			from, fromRune = i, at
		}
		i -= length
	}
	return from, fromRune
}

// widenRight goes on by whole blank-separated words until at most the given runes follow from.
func (s *snippet) widenRight(last span, runes int) (to int) {
	to = last.end
	if s.runes-last.endRune <= runes {
		return len(s.text)
	}
	used := 0
	for i, r := range s.text[last.end:] {
		if r == ' ' {
			to = last.end + i
		}
		if used++; used > runes {
			break
		}
	}
	return to
}

func (s *snippet) show(from, to int) string {
	var out strings.Builder
	if from > 0 {
		out.WriteString(ellipsis)
	}
	written := from
	for _, m := range s.matched {
		if m.start < from || m.end > to {
			continue
		}
		out.WriteString(s.text[written:m.start] + snippetMark + s.text[m.start:m.end] + snippetMark)
		written = m.end
	}
	out.WriteString(s.text[written:to])
	if to < len(s.text) {
		out.WriteString(ellipsis)
	}
	return out.String()
}
