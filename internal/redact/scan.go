package redact

import (
	"io"
	"regexp"
	"slices"
	"unicode/utf8"

	"mneme/internal/redact/counted"
)

// scan is one text being looked through.
type scan struct {
	*detector
	text      *counted.Text
	present   []bool // of a word: whether it stands in the text
	through   []int  // of a rule: how far it has been applied
	stretches []span // of an alphabet: what is known to be of it
	bare      span   // what is known to have no white space in it
	found     []finding
}

// applies says whether a rule is worth trying at all.
func (s *scan) applies(rule int32) bool {
	needed := s.needed[rule]
	return len(needed) == 0 || slices.ContainsFunc(needed, func(word int32) bool { return s.present[word] })
}

// at tries a rule at one of its anchors.
func (s *scan) at(index int32, at int) {
	r := s.rules[index]
	at = max(at-r.behind, 0)
	if at < s.through[index] || r.bounded && s.inWord(at) || !s.applies(index) {
		return
	}
	if r.assigns != nil {
		if !s.assigned(r.assigns, at) {
			return
		}
	} else if !s.fits(&r.shape, at) {
		return
	}
	if match := s.match(r.expression(), at, r.reach); match != nil {
		s.through[index] = max(s.keep(r, at, match), at+match[1])
	}
}

// inWord says whether a word goes on at a position.
func (s *scan) inWord(at int) bool { return at > 0 && isWord(s.text.At(at-1)) }

// match gives the groups of the match that begins at a position.
func (s *scan) match(expression *regexp.Regexp, at, reach int) []int {
	end := min(s.text.Len(), at+reach+windowMargin)
	if end-at <= shortWindow {
		return expression.FindStringSubmatchIndex(s.text.Slice(at, end))
	}
	return expression.FindReaderSubmatchIndex(&letters{text: s.text, at: at, end: end})
}

// shortWindow is so short that an expression is faster at all of it than letter by letter.
const shortWindow = 64

// windowMargin is more than what an expression looks at behind a match.
const windowMargin = 4

// letters hands a text over letter by letter, so that an expression looks at no more of it than it needs.
type letters struct {
	text    *counted.Text
	at, end int
}

func (l *letters) ReadRune() (letter rune, size int, err error) {
	if l.at >= l.end {
		return 0, 0, io.EOF
	}
	if b := l.text.At(l.at); b < utf8.RuneSelf {
		l.at++
		return rune(b), 1, nil
	}
	letter, size = utf8.DecodeRuneInString(l.text.Slice(l.at, min(l.at+utf8.UTFMax, l.end)))
	l.at += size
	return letter, size, nil
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
	secret := s.text.Slice(start, end)
	if secret == "" || r.entropy > 0 && entropyOf(secret) <= r.entropy || r.accepts != nil && !r.accepts(secret) ||
		r.allow.allows(secret, s.text.Slice(s.identifierStart(at), at+match[1])) || !r.hasName(s, at, start) {
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
	return r.names == nil || r.names(s.text.Slice(s.identifierStart(s.blanksBefore(s.identifierStart(at))), secret))
}

// blanksBefore goes back over the blanks before a word.
func (s *scan) blanksBefore(at int) int {
	for back := 0; back < 3 && at > 0 && s.text.At(at-1) == ' '; back++ {
		at--
	}
	return at
}

// tokenEnd goes on to the end of a token that is longer than its rule knows.
func (s *scan) tokenEnd(end int) int {
	for end < s.text.Len() {
		b := s.text.At(end)
		if !isWord(b) && b != '-' && (b != '.' || end+1 == s.text.Len() || !isWord(s.text.At(end+1))) {
			break
		}
		end++
	}
	return end
}

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
	for back := 0; back < 50 && at > 0; back++ {
		if b := s.text.At(at - 1); !isWord(b) && b != '.' && b != '-' {
			break
		}
		at--
	}
	return at
}
