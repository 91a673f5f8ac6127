package redact

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// ending is what gitleaks lets follow a secret: white space, a quote, the end of the text.
const ending = "(?:[\\x60'\"\\s;]|\\\\[nr]|$)"

// endingBytes are those that ending begins with.
const endingBytes = "`'\"\\; \t\n\f\r"

// alphabet is the bytes that matches of an expression are made of.
type alphabet [256]bool

// shape is what can be told of a match without looking for it. It rules out most places where a secret may begin, as a
// text of a secret's characters would have each of its bytes looked at again from each of them.
type shape struct {
	letters     alphabet
	least, most int // bytes; most is −1 where there is no end to it
	// ends says that a match goes on as far as letters do, and that an ending follows
	ends bool
	// run is the number of the alphabet, for what is known of the text
	run int
}

// shapeOf is the shape of the matches of an expression, which an ending follows where ended says so.
func shapeOf(tree *syntax.Regexp, ended bool) shape {
	s := shape{ends: ended}
	s.least, s.most = lengthsOf(tree)
	s.letters.add(tree)
	for i := range len(endingBytes) {
		s.ends = s.ends && !s.letters[endingBytes[i]]
	}
	if s.letters[utf8.RuneSelf] {
		s.most = -1 // it counts letters
	}
	return s
}

// add adds the bytes that an expression can take.
func (a *alphabet) add(tree *syntax.Regexp) {
	switch tree.Op {
	case syntax.OpLiteral:
		for _, r := range tree.Rune {
			a.addRange(r, r)
			if tree.Flags&syntax.FoldCase != 0 && 'a' <= r|0x20 && r|0x20 <= 'z' {
				a.addRange(r^0x20, r^0x20)
			}
		}
	case syntax.OpCharClass:
		for i := 0; i < len(tree.Rune); i += 2 {
			a.addRange(tree.Rune[i], tree.Rune[i+1])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		a.addRange(0, utf8.MaxRune)
	}
	for _, sub := range tree.Sub {
		a.add(sub)
	}
}

// addRange adds letters. The sign of Kelvin and the long s, which an expression takes for k and s where it goes by
// letters in any case, no secret has.
func (a *alphabet) addRange(first, last rune) {
	if first == last && (first == '\u212a' || first == '\u017f') {
		return
	}
	for r := first; r <= min(last, utf8.RuneSelf-1); r++ {
		a[r] = true
	}
	if last >= utf8.RuneSelf {
		for b := utf8.RuneSelf; b < len(a); b++ {
			a[b] = true
		}
	}
}

// span is a part of a text that is known to be of one alphabet. It grows as it is asked for, so that each
// byte is looked at once however often that is.
type span struct{ from, to int }

// fits says whether a match can begin at a position.
func (s *scan) fits(shape *shape, at int) bool {
	limit := s.text.Len()
	if !shape.ends {
		limit = min(limit, at+shape.least)
	} else if shape.most >= 0 {
		limit = min(limit, at+shape.most+1)
	}
	end := s.letterEnd(&shape.letters, &s.stretches[shape.run], at, limit)
	size := end - at
	return size >= shape.least && (!shape.ends || (shape.most < 0 || size <= shape.most) && s.ending(end))
}

// letterEnd is where the letters that begin at a position end, or anything from the limit on.
func (s *scan) letterEnd(letters *alphabet, known *span, at, limit int) int {
	if at > known.to {
		*known = span{at, at}
	}
	for i := at; i < known.from; i++ { // a few bytes back, since names come before values
		if !letters[s.text.At(i)] {
			return i
		}
	}
	known.from = min(known.from, at)
	for known.to < limit && letters[s.text.At(known.to)] {
		known.to++
	}
	return known.to
}

// ending says whether an ending follows, in any case.
func (s *scan) ending(at int) bool {
	if at == s.text.Len() {
		return true
	}
	first := s.text.At(at)
	if first != '\\' {
		return strings.IndexByte(endingBytes, first) >= 0
	}
	return at+1 < s.text.Len() && strings.IndexByte("nrNR", s.text.At(at+1)) >= 0
}
