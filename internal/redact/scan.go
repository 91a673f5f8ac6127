package redact

import (
	"io"
	"math/bits"
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
	stretches []span
	signs     [len(keySigns)]span // where the sign of a key stands next, from which place on
	untils    [len(ends)]span     // what is known to have none of the ends in it
	command   command             // the program that came last
	refused   int                 // the end of the last value without quotes that is no password
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
	switch {
	case r.find != nil:
		if start, end, ok := r.find(s, at); ok {
			s.found = append(s.found, finding{start, end, r.kind})
			s.through[index] = end
		}
		return
	case r.assigns != nil:
		if !s.assigned(r.assigns, at) {
			return
		}
	case !s.fits(&r.shape, at):
		return
	}
	if match := s.match(r.expression(), at, r.reach); match != nil {
		s.through[index] = max(s.keep(r, at, match), at+match[1])
	}
}

// inWord says whether a word goes on at a position.
func (s *scan) inWord(at int) bool { return at > 0 && isWord(s.text.At(at-1)) }

// near tries a rule without an anchor around one of its keywords, where it was not tried before.
func (s *scan) near(index int32, at int) {
	r := s.rules[index]
	from := max(0, at-r.reach, s.through[index])
	to := min(s.text.Len(), at+2*r.reach)
	for from < to {
		if s.inWord(from) || !s.fits(&r.shape, from) {
			from++
			continue
		}
		match := s.match(r.expression(), from, r.reach)
		if match == nil {
			from++
			continue
		}
		s.keep(r, from, match)
		from += max(match[1], 1)
	}
	s.through[index] = max(s.through[index], from)
}

// match gives the groups of the match that begins at a position.
func (s *scan) match(expression *regexp.Regexp, at, reach int) []int {
	end := min(s.text.Len(), at+reach+windowMargin)
	if end-at <= shortWindow {
		return expression.FindStringSubmatchIndex(s.text.Slice(at, end))
	}
	return expression.FindReaderSubmatchIndex(&letters{text: s.text, at: at, end: end})
}

// shortWindow is so short that an expression is faster at all of it than letter by letter.
const shortWindow = 256

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

// next is where one of the signs of a key stands at or after a position, the end of the text where none does.
func (s *scan) next(sign, from int) int {
	known := &s.signs[sign]
	if from < known.from || from > known.to || known.to == 0 {
		*known = span{from, s.text.Index(from, s.text.Len(), keySigns[sign])}
	}
	return known.to
}

// keep judges a match that was found from a position on, and notes its secret. It gives the end of that,
// and where it is none, how far that was followed beyond the match.
func (s *scan) keep(r *rule, from int, match []int) (end int) {
	start, end := secretOf(match, r.group)
	start, end = from+start, from+end
	followed := 0
	if r.value != nil {
		var ok bool
		if end, ok = r.value(s, from+match[0], start); !ok {
			return end
		}
		followed = end
	}
	secret := s.text.Slice(start, end)
	if secret == "" || r.entropy > 0 && entropyOf(secret) <= r.entropy || r.accepts != nil && !r.accepts(secret) {
		return followed
	}
	if name := s.identifierStart(from + match[0]); r.allow.allows(secret, s.text.Slice(name, from+match[1])) || r.names != nil && !r.names(s.text.Slice(s.identifierStart(s.blanksBefore(name)), start), secret) {
		return followed
	}
	if r.proof {
		end = s.tokenEnd(end)
	}
	s.found = append(s.found, finding{start, end, r.kind})
	return end
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
	for back := 0; back < 50 && at > 0; back++ {
		if b := s.text.At(at - 1); !isWord(b) && b != '.' && b != '-' {
			break
		}
		at--
	}
	return at
}

func trailing(places uint64) int { return bits.TrailingZeros64(places) }
