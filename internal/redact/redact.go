package redact

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strings"

	"mneme/memory"
	"mneme/memory/redaction"
)

// Rules is the rules for the write boundary: one that takes out secrets of any kind, each replaced by a
// mark such as "[secret:aws-access-token]". It is safe for concurrent use.
func Rules() []redaction.Rule {
	return []redaction.Rule{{Redact: text, RedactNamed: named}}
}

// Text puts marks in the place of the secrets in a text and counts them by kind. Text without secrets
// comes back as it is, and marks of before stay.
func Text(of string) (clean string, redactions []memory.Redaction) { return text(goOn, of) }

// Named is Text for the value of a field: one named "password" holds a password, whatever it looks like,
// and others are judged as the assignment that they are.
func Named(name, of string) (clean string, redactions []memory.Redaction) {
	return named(goOn, name, of)
}

func goOn() error { return nil }

// mark is what stands where a secret was.
var mark = regexp.MustCompile(`\[secret:[a-z0-9-]+\]`)

const markBegin = "[secret:"

// passes is how often a text is looked through again. What one look took out may be what another secret
// was hidden behind; texts where that goes on are made to be so.
const passes = 8

// text is Text until stop says to end it; what it gives then is nothing to be kept.
func text(stop func() error, text string) (clean string, redactions []memory.Redaction) {
	var counts map[string]int
	for range passes {
		found := lookThrough(text, stop)
		if len(found) == 0 || stop() != nil {
			break
		}
		if counts == nil {
			counts = map[string]int{}
		}
		text = replace(text, found, counts)
	}
	return text, listed(counts)
}

// lookThrough finds the secrets in a text, however it may be read.
func lookThrough(text string, stop func() error) []finding {
	found, _ := secrets().inReadings(text, stop)
	return apart(found, text)
}

// inReadings is in for a text as it stands, and as it is for who sees it.
func (d *detector) inReadings(text string, stop func() error) (found []finding, work int) {
	found, work = d.inQuotes(text, stop)
	if bare, dropped := undisguised(text); len(dropped) > 0 {
		more, looked := d.inQuotes(bare, stop)
		found = merged(found, more, func(f finding) finding {
			return finding{letterStart(text, original(f.start, dropped)), original(f.end-1, dropped) + 1, f.kind}
		})
		work += looked
	}
	return found, work
}

// inQuotes is in also where a text holds JSON that was put into a string.
func (d *detector) inQuotes(text string, stop func() error) (found []finding, work int) {
	found, work = d.in(text, stop)
	if plain, dropped := unescaped(text); len(dropped) > 0 {
		more, looked := d.in(plain, stop)
		found = merged(found, more, func(f finding) finding {
			return finding{original(f.start, dropped), original(f.end-1, dropped) + 1, f.kind}
		})
		work += looked
	}
	return found, work
}

// merged are the findings of a text and, by where they are in it, those of another reading.
func merged(found, more []finding, place func(finding) finding) []finding {
	for _, f := range more {
		found = append(found, place(f))
	}
	slices.SortFunc(found, func(a, b finding) int { return a.start - b.start })
	return found
}

// quoteNames are the ways to write a quote that end in another letter, which is taken for the quote.
var quoteNames = []struct {
	name  string
	quote byte
}{{"u0022", '"'}, {"u0027", '\''}, {"&quot;", '"'}, {"&#34;", '"'}, {"&#39;", '\''}}

// escapes are what a text with escaped quotes has one of.
var escapes = []string{`\"`, `\u002`, "&quot;", "&#3"}

// namedQuote is the quote that is written at a position, by a name of so many bytes; 0 where none is.
func namedQuote(text string, escaped bool) (quote byte, size int) {
	for _, named := range quoteNames {
		if escaped == (named.name[0] == 'u') && strings.HasPrefix(text, named.name) {
			return named.quote, len(named.name)
		}
	}
	return 0, 0
}

// unescaped is a text with quotes as such that are escaped in it, and which bytes of it that leaves out.
func unescaped(text string) (plain string, dropped []int) {
	if !slices.ContainsFunc(escapes, func(escape string) bool { return strings.Contains(text, escape) }) {
		return text, nil
	}
	bare := make([]byte, 0, len(text))
	for at := 0; at < len(text); at++ {
		end := at
		for end < len(text) && text[end] == '\\' {
			end++
		}
		if quote, size := namedQuote(text[end:], end > at); size > 0 {
			for ; at < end+size-1; at++ {
				dropped = append(dropped, at)
			}
			bare = append(bare, quote)
			continue
		}
		if end > at && end < len(text) && text[end] == '"' {
			for ; at < end; at++ {
				dropped = append(dropped, at)
			}
		} else if end > at {
			bare = append(bare, text[at:end]...)
			at = end
		}
		if at < len(text) {
			bare = append(bare, text[at])
		}
	}
	return string(bare), dropped
}

// original is where a byte of the text without the dropped ones stands in the text with them.
func original(at int, dropped []int) int {
	return at + sort.Search(len(dropped), func(i int) bool { return dropped[i]-i > at })
}

// apart makes one of secrets that overlap, and leaves out those that reach into a mark.
func apart(found []finding, text string) []finding {
	if len(found) > 0 && strings.Contains(text, markBegin) {
		marks := mark.FindAllStringIndex(text, -1)
		found = slices.DeleteFunc(found, func(f finding) bool {
			i, _ := slices.BinarySearchFunc(marks, f.start, func(m []int, start int) int { return cmp.Compare(m[1], start+1) })
			return i < len(marks) && marks[i][0] < f.end
		})
	}
	joined := found[:0]
	for _, f := range found {
		last := len(joined) - 1
		if last < 0 || f.start >= joined[last].end {
			joined = append(joined, f)
			continue
		}
		joined[last].end = max(joined[last].end, f.end)
		joined[last].kind = moreTelling(joined[last].kind, f.kind)
	}
	return joined
}

// vague are the kinds that say least of what a secret is, the vaguest first.
var vague = []string{"generic-api-key", "sk-key", "password", "api-key-header", "authorization", "url-password"}

// moreTelling is the kind that says more; of two that say as much the first by name.
func moreTelling(a, b string) string {
	rank := func(kind string) int {
		if i := slices.Index(vague, kind); i >= 0 {
			return i
		}
		return len(vague)
	}
	if d := cmp.Or(rank(b)-rank(a), cmp.Compare(a, b)); d <= 0 {
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

// listed is counts in the order of the kinds, nil where there are none.
func listed(counts map[string]int) []memory.Redaction {
	if len(counts) == 0 {
		return nil
	}
	var list []memory.Redaction
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, memory.Redaction{Kind: kind, Count: counts[kind]})
	}
	return list
}
