package prose

import (
	"strings"
	"unicode"
)

// snippetMark stands on either side of a matching word.
const snippetMark = "**"

// Snippet shows the part of a text that has most of the matching words, on one line: whole words only, each match
// between "**" and "**", "…" where text was left out. It is at most maxRunes long, the marks aside. Most are the most
// different words, then the most words, then the earliest; without a match it is the beginning of the text. matches is
// asked for each stretch of letters, digits and '_' as it stands in the text, with an apostrophe or a dot inside, or a
// comma between digits. A single word longer than the snippet is cut.
func Snippet(text string, matches func(word string) bool, maxRunes int) string {
	text = OneLine(strings.ToValidUTF8(text, "\uFFFD"))
	s := snippet{text: []rune(text)}
	s.find(matches)
	switch {
	case len(s.text) <= maxRunes:
		return s.show(0, len(s.text))
	case len(s.matched) == 0:
		return Shorten(text, max(maxRunes, 1))
	}
	size := max(maxRunes-2, 1) // an ellipsis on either side
	first, last, ok := s.best(size)
	if !ok {
		return Shorten(string(s.text[s.matched[0].start:]), max(maxRunes, 1)) // a word longer than the snippet
	}
	spare := size - (last.end - first.start)
	from := s.widenLeft(first.start, max(spare/2, spare-(len(s.text)-last.end)))
	return s.show(from, s.widenRight(last.end, size-(last.end-from)))
}

// span is a matching word of a text.
type span struct {
	start, end int
	word       string // in lower case
}

type snippet struct {
	text    []rune
	matched []span
}

// find takes the text apart into words and keeps those that match.
func (s *snippet) find(matches func(string) bool) {
	start := -1 // of the word in the making
	for i := range len(s.text) + 1 {
		inside := i < len(s.text) && (inWord(s.text[i]) || start >= 0 && s.joinsWord(i))
		switch {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			if word := string(s.text[start:i]); matches(word) {
				s.matched = append(s.matched, span{start, i, strings.ToLower(word)})
			}
			start = -1
		}
	}
}

func inWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// joinsWord says whether a sign inside a word keeps it together: it's, 3.5, 1,000.
func (s *snippet) joinsWord(at int) bool {
	if at+1 == len(s.text) {
		return false
	}
	last, next := s.text[at-1], s.text[at+1]
	switch s.text[at] {
	case ',':
		return unicode.IsNumber(last) && unicode.IsNumber(next)
	case '\'', '’', '.':
		return inWord(last) && inWord(next)
	}
	return false
}

// best slides over the matches and keeps the richest run of them that fits.
func (s *snippet) best(size int) (first, last span, ok bool) {
	counts := map[string]int{}
	bestWords, bestMatches, left := 0, 0, 0
	for right, m := range s.matched {
		counts[m.word]++
		for ; left <= right && m.end-s.matched[left].start > size; left++ {
			if word := s.matched[left].word; counts[word] > 1 {
				counts[word]--
			} else {
				delete(counts, word)
			}
		}
		n := right - left + 1
		if n > 0 && (len(counts) > bestWords || len(counts) == bestWords && n > bestMatches) {
			bestWords, bestMatches, ok = len(counts), n, true
			first, last = s.matched[left], m
		}
	}
	return first, last, ok
}

// widenLeft goes back by whole blank-separated words, at most so far; to the very beginning where that is in reach.
func (s *snippet) widenLeft(from, most int) int {
	if from <= most {
		return 0
	}
	for at := from - most; at < from; at++ {
		if s.text[at-1] == ' ' {
			return at
		}
	}
	return from
}

// widenRight goes on by whole blank-separated words, at most so far; to the very end where that is in reach.
func (s *snippet) widenRight(to, most int) int {
	if len(s.text)-to <= most {
		return len(s.text)
	}
	for at := to + most; at > to; at-- {
		if s.text[at] == ' ' {
			return at
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
		if m.start >= from && m.end <= to {
			out.WriteString(string(s.text[written:m.start]) + snippetMark + string(s.text[m.start:m.end]) + snippetMark)
			written = m.end
		}
	}
	out.WriteString(string(s.text[written:to]))
	if to < len(s.text) {
		out.WriteString(ellipsis)
	}
	return out.String()
}
