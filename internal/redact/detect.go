package redact

import (
	"slices"
	"strings"
	"sync"
)

// detector is all the rules and the words to look for.
type detector struct {
	words  *finder
	rules  []*rule
	starts [][]int32 // of a word: the rules that it is an anchor of
	around [][]int32 // of a word: the rules without anchors that are tried around it
	needed [][]int32 // of a rule: the words of which one must stand in the text
}

// secrets is the detector; it is made when the first text comes, in a few milliseconds. Expressions are
// compiled when one is needed for the first time.
var secrets = sync.OnceValue(func() *detector { return newDetector(slices.Concat(fromGitleaks(), ownRules())) })

func newDetector(rules []*rule) *detector {
	d := &detector{rules: rules, needed: make([][]int32, len(rules))}
	index := map[string]int32{}
	var words []string
	wordOf := func(word string) int32 {
		word = strings.ToLower(word)
		if _, known := index[word]; !known {
			index[word] = int32(len(words))
			words = append(words, word)
			d.starts, d.around = append(d.starts, nil), append(d.around, nil)
		}
		return index[word]
	}
	for i, r := range rules {
		for _, anchor := range r.anchors {
			word := wordOf(anchor)
			d.starts[word] = append(d.starts[word], int32(i))
		}
		for _, keyword := range r.needs {
			word := wordOf(keyword)
			d.needed[i] = append(d.needed[i], word)
			if len(r.anchors) == 0 {
				d.around[word] = append(d.around[word], int32(i))
			}
		}
	}
	d.words = newFinder(words)
	return d
}

// finding is a secret in a text.
type finding struct {
	start, end int
	kind       string
}

// in finds the secrets in a text, by their beginnings; they may overlap.
func (d *detector) in(text string) []finding {
	hits := d.words.in(text)
	if len(hits) == 0 {
		return nil
	}
	s := &scan{detector: d, text: text, present: make([]bool, len(d.starts)), through: make([]int, len(d.rules))}
	for _, hit := range hits {
		s.present[hit.word] = true
	}
	for _, hit := range hits {
		for _, rule := range d.starts[hit.word] {
			s.at(rule, hit.at)
		}
		for _, rule := range d.around[hit.word] {
			s.near(rule, hit.at)
		}
	}
	slices.SortFunc(s.found, func(a, b finding) int { return a.start - b.start })
	return s.found
}

// scan is one text being looked through.
type scan struct {
	*detector
	text    string
	present []bool // of a word: whether it stands in the text
	through []int  // of a rule: how far it has been applied
	found   []finding
}

// applies says whether a rule is worth trying at all.
func (s *scan) applies(rule int32) bool {
	needed := s.needed[rule]
	return len(needed) == 0 || slices.ContainsFunc(needed, func(word int32) bool { return s.present[word] })
}

// at tries a rule at one of its anchors.
func (s *scan) at(index int32, at int) {
	r := s.rules[index]
	if at < s.through[index] || r.bounded && at > 0 && isWord(s.text[at-1]) || !s.applies(index) {
		return
	}
	if r.find != nil {
		if end, ok := r.find(s.text, at); ok {
			s.found = append(s.found, finding{at, end, r.kind})
			s.through[index] = end
		}
		return
	}
	window := s.text[at:min(len(s.text), at+r.reach+windowMargin)]
	if r.assigns && !assignsSomething(window) {
		return
	}
	if match := r.expression().FindStringSubmatchIndex(window); match != nil {
		s.through[index] = max(s.keep(r, at, match), at+match[1])
	}
}

const (
	// windowMargin is more than what an expression looks at behind a match.
	windowMargin = 4
	// assignmentReach is more than the bytes up to the sign of an assignment.
	assignmentReach = 80
	// leastAssigned is the fewest bytes of a secret that is assigned, over all rules.
	leastAssigned = 10
)

// assignsSomething says whether a sign of assignment stands near the beginning, with something behind it
// that is long enough for a secret. It spares most texts with words such as "key" the expressions.
func assignsSomething(text string) bool {
	for sign := 0; ; sign++ {
		next := strings.IndexAny(text[sign:min(len(text), max(assignmentReach, sign))], assignmentSigns)
		if next < 0 {
			return false
		}
		sign += next
		value := strings.TrimLeft(text[sign:min(len(text), sign+assignmentReach)], assignmentSigns+valueEnds)
		if end := strings.IndexAny(value, valueEnds); end >= leastAssigned || end < 0 && len(value) >= leastAssigned {
			return true
		}
	}
}

const (
	assignmentSigns = "=:>|,?"
	valueEnds       = "`'\" \t\r\n\f;"
)

// near tries a rule without an anchor around one of its keywords, where it was not tried before.
func (s *scan) near(index int32, at int) {
	r := s.rules[index]
	if at+r.reach <= s.through[index] && s.through[index] > 0 {
		return
	}
	from := max(0, at-r.reach, s.through[index]-r.reach)
	to := min(len(s.text), at+2*r.reach)
	s.through[index] = to
	for from < to {
		match := r.expression().FindStringSubmatchIndex(s.text[from:to])
		if match == nil {
			break
		}
		s.keep(r, from, match)
		from += max(match[1], 1)
	}
}

// keep judges a match that was found from a position on, and notes its secret. It gives the end of that,
// 0 where it is none.
func (s *scan) keep(r *rule, from int, match []int) (end int) {
	start, end := secretOf(match, r.group)
	start, end = from+start, from+end
	secret := s.text[start:end]
	if secret == "" || r.entropy > 0 && entropyOf(secret) <= r.entropy || r.accepts != nil && !r.accepts(secret) {
		return 0
	}
	if r.allow.allows(secret, s.text[s.identifierStart(from+match[0]):from+match[1]]) {
		return 0
	}
	if r.proof {
		end = s.tokenEnd(end)
	}
	s.found = append(s.found, finding{start, end, r.kind})
	return end
}

// tokenEnd goes on to the end of a token that is longer than its rule knows.
func (s *scan) tokenEnd(end int) int {
	for end < len(s.text) {
		b := s.text[end]
		if !isWord(b) && b != '-' && (b != '.' || end+1 == len(s.text) || !isWord(s.text[end+1])) {
			break
		}
		end++
	}
	return end
}

// secretOf is the group of a match that is the secret: the given one, else the first that matched, else
// the whole match.
func secretOf(match []int, group int) (start, end int) {
	if group > 0 && 2*group+1 < len(match) && match[2*group] >= 0 {
		return match[2*group], match[2*group+1]
	}
	for i := 2; i < len(match); i += 2 {
		if match[i] >= 0 && match[i] < match[i+1] {
			return match[i], match[i+1]
		}
	}
	return match[0], match[1]
}

// identifierStart goes back from the name in an assignment to the beginning of the identifier that it
// is part of, at most the 50 letters of gitleaks' expressions.
func (s *scan) identifierStart(at int) int {
	for back := 0; back < 50 && at > 0 && (isWord(s.text[at-1]) || s.text[at-1] == '.' || s.text[at-1] == '-'); back++ {
		at--
	}
	return at
}
