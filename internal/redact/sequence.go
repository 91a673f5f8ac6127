package redact

import "regexp/syntax"

// sequence is what an expression asks for from its beginning on, letter by letter, as far as one way of looking
// for it is enough: each part is followed as far as it goes, and the next cannot begin before. It rules places
// out at the price of a few bytes, where an expression costs a microsecond.
type sequence struct {
	parts []part
	whole bool // nothing of the expression is left out
}

// part is so many bytes of an alphabet.
type part struct {
	letters     *alphabet
	least, most int // most is −1 where there is no end to it
}

func sequenceOf(tree *syntax.Regexp, ended bool) sequence {
	var s sequence
	s.whole = s.add(tree)
	for i := range s.parts {
		last := i+1 == len(s.parts)
		if last && !ended {
			s.parts[i].most = s.parts[i].least // as much as must be
		}
		if s.parts[i].least == s.parts[i].most || last && s.whole || !last && s.apart(i) {
			continue
		}
		s.parts[i].most = s.parts[i].least // what comes behind may begin anywhere in it
		s.parts, s.whole = s.parts[:i+1], false
		break
	}
	return s
}

// apart says whether what may come next behind a part is told from it by its first byte.
func (s *sequence) apart(i int) bool {
	for _, next := range s.parts[i+1:] {
		for b := range next.letters {
			if next.letters[b] && s.parts[i].letters[b] {
				return false
			}
		}
		if next.least > 0 {
			return true
		}
	}
	return s.whole
}

// add goes on with an expression, and says whether all of it could be followed.
func (s *sequence) add(tree *syntax.Regexp) bool {
	switch tree.Op {
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpBeginText:
		return true
	case syntax.OpLiteral:
		for _, r := range tree.Rune {
			one := &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune{r}, Flags: tree.Flags}
			if !s.addPart(one, 1, 1) {
				return false
			}
		}
		return true
	case syntax.OpCharClass:
		return s.addPart(tree, 1, 1)
	case syntax.OpCapture:
		return s.add(tree.Sub[0])
	case syntax.OpStar:
		return s.addPart(tree.Sub[0], 0, -1)
	case syntax.OpPlus:
		return s.addPart(tree.Sub[0], 1, -1)
	case syntax.OpQuest:
		return s.addPart(tree.Sub[0], 0, 1)
	case syntax.OpRepeat:
		return s.addPart(tree.Sub[0], tree.Min, tree.Max)
	case syntax.OpConcat:
		for _, sub := range tree.Sub {
			if !s.add(sub) {
				return false
			}
		}
		return true
	}
	return false
}

// addPart adds letters of one class. Letters of more than a byte count as at least one.
func (s *sequence) addPart(class *syntax.Regexp, least, most int) bool {
	if class.Op == syntax.OpCapture {
		return s.addPart(class.Sub[0], least, most)
	}
	if class.Op != syntax.OpCharClass && (class.Op != syntax.OpLiteral || len(class.Rune) != 1) {
		return false
	}
	letters := &alphabet{}
	letters.add(class)
	if letters[len(letters)-1] {
		if class.Op == syntax.OpLiteral {
			return false
		}
		most = -1
	}
	s.parts = append(s.parts, part{letters, least, most})
	return true
}

// follows says whether a text goes on as the sequence asks, and how far.
func (s *sequence) follows(in *scan, at int) (end int, ok bool) {
	for i := range s.parts {
		p := &s.parts[i]
		from := at
		for at < in.text.Len() && (p.most < 0 || at-from < p.most) && p.letters[in.text.At(at)] {
			at++
		}
		if at-from < p.least {
			return 0, false
		}
	}
	return at, true
}
