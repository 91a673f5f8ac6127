package retrieval

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mneme/memory"
)

// Names are whom a query can name: its words, to be compared with those of names.
type Names struct{ words string }

// NamesIn reads a query for the names in it.
func NamesIn(query string) Names { return Names{" " + nameWords(query) + " "} }

// nameWords are the words of a text in lower case, with one space between them.
func nameWords(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !inWord(r) }), " ")
}

// leastName is how many letters a name has: the article "a" names nobody.
const leastName = 2

// has says whether the query has all words of a name, one after the other.
func (n Names) has(name string) bool {
	words := nameWords(name)
	return utf8.RuneCountInString(words) >= leastName && strings.Contains(n.words, " "+words+" ")
}

// Speaker is whom the query names of the one who opens a record's text ("Ann: …"), by the whole name or the first of
// it, and the agent, by its key; "" for neither.
func (n Names) Speaker(text, agent string) string {
	opens := Opener(text)
	first, _, _ := strings.Cut(opens, " ")
	switch {
	case n.has(opens):
		return opens
	case first != opens && isGiven(first) && n.has(first):
		return first
	case n.has(agent):
		return agent
	}
	return ""
}

// speaker is whom the query names of those who speak in a passage: the agent of an event, or who opens a line; else "".
// The lines of an action are opened by the names of fields.
func (n Names) speaker(p *memory.Passage) string {
	switch p.Part {
	case memory.PartAction:
		return ""
	case memory.PartEvent:
		return n.Speaker("", p.Step)
	}
	for line := range strings.Lines(p.Text) {
		if name := n.Speaker(line, ""); name != "" {
			return name
		}
	}
	return ""
}

// titles begin a name and name nobody.
var titles = wordSet("the a an mr mrs ms dr prof sir miss madam")

// isGiven says whether the first word of a longer name is one by which somebody is called.
func isGiven(first string) bool {
	r, _ := utf8.DecodeRuneInString(first)
	return unicode.IsUpper(r) && !titles[nameWords(first)]
}

// The bounds of a name that opens a text.
const (
	maxNameBytes = 60
	maxNameWords = 4
)

// Opener is the name with which a text begins, followed by a colon and white space or the end: "Ann", "Dr. Lee",
// "user"; "" where it begins otherwise.
func Opener(text string) string {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	colon := strings.IndexByte(text[:min(len(text), maxNameBytes+1)], ':')
	if colon <= 0 {
		return ""
	}
	name, rest := text[:colon], text[colon+1:]
	if after, _ := utf8.DecodeRuneInString(rest); rest != "" && !unicode.IsSpace(after) { // "http://", "10:30"
		return ""
	}
	words := strings.Fields(name)
	if len(words) == 0 || len(words) > maxNameWords {
		return ""
	}
	for i, r := range name {
		switch {
		case i == 0 && !unicode.IsLetter(r):
			return ""
		case !inWord(r) && !unicode.IsMark(r) && !strings.ContainsRune(" .-'’", r):
			return ""
		}
	}
	return strings.Join(words, " ")
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_' }
