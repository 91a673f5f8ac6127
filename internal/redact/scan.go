package redact

import (
	"regexp"
	"slices"
	"strings"
)

// scan is one text being looked through.
type scan struct {
	*detector
	text, lower string
	through     []int   // of a rule: how far it has been applied
	needed      []*bool // of a rule: whether a word that it needs stands in the text, once that was looked for
	began       int     // where a text without white space was looked for last; one may begin before it
	unbroken    int     // and where that ends
	found       []finding
}

// applies says whether a rule is worth trying at all.
func (s *scan) applies(index int) bool {
	if s.needed[index] == nil {
		needs := s.rules[index].needs
		s.needed[index] = new(len(needs) == 0 || slices.ContainsFunc(needs, func(word string) bool { return strings.Contains(s.lower, strings.ToLower(word)) }))
	}
	return *s.needed[index]
}

// try applies a rule where one of its anchors stands.
func (s *scan) try(index, at int) {
	r := s.rules[index]
	at = max(at-r.behind, 0)
	if at < s.through[index] || r.bounded && at > 0 && isWord(rune(s.text[at-1])) || !s.applies(index) {
		return
	}
	if match := r.expression().FindStringSubmatchIndex(s.text[at:min(len(s.text), at+maxReach)]); match != nil {
		s.through[index] = max(s.keep(r, at, match), at+match[1])
	}
}

// keep judges a match at a position and notes its secret. It gives the end of that, 0 where it is none.
func (s *scan) keep(r *rule, at int, match []int) (end int) {
	start, end, group := secretOf(match, r.group)
	start, end = at+start, at+end
	if bare := r.expression().SubexpNames()[group] == bareGroup; bare {
		if end, ok := s.bareValue(start, r.accepts); ok && r.hasName(s, at, start) {
			s.found = append(s.found, finding{start, end, r.kind})
		}
		return 0 // another may begin in what this one takes along
	}
	secret := s.text[start:end]
	if secret == "" || r.entropy > 0 && entropyOf(secret) <= r.entropy || r.accepts != nil && !r.accepts(secret) ||
		r.allow.allows(secret, s.text[s.identifierStart(at):at+match[1]]) || !r.hasName(s, at, start) {
		return 0
	}
	if r.proof {
		end = s.tokenEnd(end)
	}
	s.found = append(s.found, finding{start, end, r.kind})
	return end
}

// hasName says whether what stands before a secret, from the word before its name on, gives it a secret's name.
func (r *rule) hasName(s *scan, at, secret int) bool {
	return r.names == nil || r.names(s.text[s.identifierStart(s.back(s.identifierStart(at), 3, func(r rune) bool { return r == ' ' })):secret])
}

// tokenEnd goes on to the end of a token that is longer than its rule knows.
func (s *scan) tokenEnd(end int) int { return end + len(restOfToken.FindString(s.text[end:])) }

var restOfToken = regexp.MustCompile(`^(?:[\w-]|\.\b)*`)

// secretOf is the group of a match that is the secret: the given one, else the first that matched, else the whole.
func secretOf(match []int, group int) (start, end, found int) {
	for i := 2; i < len(match); i += 2 {
		if match[i] >= 0 && match[i] < match[i+1] && (group == 0 || group == i/2) {
			return match[i], match[i+1], i / 2
		}
	}
	return match[0], match[1], 0
}

// identifierStart goes back from the name in an assignment to the beginning of the identifier that it
// is part of, at most the 50 letters of gitleaks' expressions.
func (s *scan) identifierStart(at int) int {
	return s.back(at, 50, func(r rune) bool { return isWord(r) || r == '.' || r == '-' })
}

// back goes back from a position over at most so many signs of ASCII.
func (s *scan) back(at, most int, over func(rune) bool) int {
	before := s.text[max(at-most, 0):at]
	return at - len(before) + len(strings.TrimRightFunc(before, over))
}
