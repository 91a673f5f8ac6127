// Package redact finds secrets in text and puts "[secret:kind]" in their place, for the write boundary.
//
// What a secret looks like is said by the rules of gitleaks (gitleaks/gitleaks.toml, version 8.30.1, MIT), and by a
// table of our own (patterns.go) for what a scanner of source code has no need of: passwords in URLs and commands,
// headers, keys that were cut off. How they are looked for is ours: where one of the words that a secret begins with
// stands, and nowhere else, so that plain text costs one look at each byte and no text takes long. docs/adr says why.
package redact

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"mneme/memory"
	"mneme/memory/redaction"
)

// Rules is the rules for the write boundary: one that takes out secrets of any kind, each replaced by a
// mark such as "[secret:aws-access-token]". It is safe for concurrent use.
func Rules() []redaction.Rule {
	return []redaction.Rule{named}
}

// mark is what stands where a secret was.
var mark = regexp.MustCompile(`\[secret:[a-z0-9-]+\]`)

const markBegin = "[secret:"

// passes is how often a text is looked through again. What one look took out may be what another secret
// was hidden behind; texts where that goes on are made to be so.
const passes = 8

// text puts marks in the place of the secrets in a text and counts them by kind. Text without secrets comes back as it
// is, and marks of before stay. Where stop says to end it, what it gives is nothing to be kept.
func text(stop func() error, text string) (clean string, redactions []memory.Redaction) {
	counts := map[string]int{}
	for range passes {
		found := findAll(text, stop)
		if len(found) == 0 || stop() != nil {
			break
		}
		text = replace(text, found, counts)
	}
	if len(counts) == 0 {
		return text, nil
	}
	return text, memory.RedactionsOf(counts)
}

// findAll finds the secrets in a text as it stands, and as whoever decodes it or sees it reads it: once without URL
// encoding and once with it, because "%41" in a password in JSON may be an A or itself.
func findAll(text string, stop func() error) []finding {
	found := secrets().in(text, stop)
	looked := text
	for _, reading := range []func(string, func(rune) rune) redaction.Reading{redaction.UnescapedOf, redaction.ReadingOf} {
		read := reading(text, ofASCII)
		if read.Text == looked {
			continue
		}
		looked = read.Text
		for _, f := range secrets().in(read.Text, stop) {
			f.start, f.end = read.Place(f.start, f.end)
			found = append(found, f)
		}
	}
	return merged(found, text)
}

// ofASCII is the letter of ASCII that another stands for, such as those of mathematics, or the letter itself.
func ofASCII(letter rune) rune {
	if plain := norm.NFKC.PropertiesString(string(letter)).Decomposition(); len(plain) == 1 {
		return rune(plain[0])
	}
	return letter
}

// merged makes one of secrets that overlap, and leaves out those that reach into a mark.
func merged(found []finding, text string) []finding {
	if len(found) > 0 && strings.Contains(text, markBegin) {
		marks := mark.FindAllStringIndex(text, -1)
		found = slices.DeleteFunc(found, func(f finding) bool {
			i, _ := slices.BinarySearchFunc(marks, f.start, func(m []int, start int) int { return cmp.Compare(m[1], start+1) })
			return i < len(marks) && marks[i][0] < f.end
		})
	}
	slices.SortFunc(found, func(a, b finding) int { return a.start - b.start })
	joined := found[:0]
	for _, f := range found {
		last := len(joined) - 1
		if last < 0 || f.start >= joined[last].end {
			joined = append(joined, f)
			continue
		}
		joined[last].end = max(joined[last].end, f.end)
		joined[last].kind = moreSpecific(joined[last].kind, f.kind)
	}
	return joined
}

// vague are the kinds that say least of what a secret is, the vaguest last.
var vague = []string{"url-password", "authorization", "api-key-header", "password", "sk-key", "generic-api-key"}

// moreSpecific is the kind that says more; of two that say as much the first by name.
func moreSpecific(a, b string) string {
	if cmp.Or(slices.Index(vague, a)-slices.Index(vague, b), cmp.Compare(a, b)) <= 0 {
		return a
	}
	return b
}

func replace(text string, found []finding, counts map[string]int) string {
	var clean strings.Builder
	kept := 0
	for _, f := range found {
		clean.WriteString(text[kept:f.start] + markBegin + f.kind + "]")
		counts[f.kind]++
		kept = f.end
	}
	clean.WriteString(text[kept:])
	return clean.String()
}
