package redact

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// The bounds of looking for anchors: from which length on one is worth looking for, from which it is long enough, how
// much of a longer one is looked for, and the most letters of a class that are told apart.
const (
	leastAnchor  = 2
	enoughAnchor = 12
	maxAnchor    = 20
	classAnchors = 8
)

// anchorsOf is the texts, in lower case, one of which every match of an expression begins with; nil
// where one would be too short to look for.
func anchorsOf(tree *syntax.Regexp) []string {
	anchors := beginnings("", tree)
	if slices.ContainsFunc(anchors, func(anchor string) bool { return len(anchor) < leastAnchor }) {
		return nil
	}
	slices.Sort(anchors)
	var shortest []string
	for _, anchor := range anchors {
		if last := len(shortest) - 1; last < 0 || !strings.HasPrefix(anchor, shortest[last]) {
			shortest = append(shortest, anchor)
		}
	}
	return shortest
}

// beginnings is the texts that the matches of expressions, one behind the other, begin with behind a text.
func beginnings(text string, trees ...*syntax.Regexp) (all []string) {
	if len(trees) == 0 || len(text) >= enoughAnchor {
		return []string{text[:min(len(text), maxAnchor)]}
	}
	tree, rest := trees[0], trees[1:]
	switch tree.Op {
	case syntax.OpLiteral:
		return beginnings(text+strings.ToLower(string(tree.Rune)), rest...)
	case syntax.OpCharClass:
		for _, letter := range lettersOf(tree) {
			all = append(all, beginnings(text+letter, rest...)...)
		}
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpBeginText:
		return beginnings(text, rest...)
	case syntax.OpCapture, syntax.OpConcat:
		return beginnings(text, slices.Concat(tree.Sub, rest)...)
	case syntax.OpAlternate:
		for _, sub := range tree.Sub {
			all = append(all, beginnings(text, slices.Concat([]*syntax.Regexp{sub}, rest)...)...)
		}
	case syntax.OpQuest:
		return append(beginnings(text, slices.Concat(tree.Sub, rest)...), beginnings(text, rest...)...)
	case syntax.OpPlus:
		return beginnings(text, tree.Sub...)
	case syntax.OpRepeat:
		if tree.Min > 0 {
			return beginnings(text, tree.Sub...)
		}
	}
	if all == nil { // what follows may be anything
		return beginnings(text)
	}
	return all
}

// lettersOf is the letters of a class; nil where there are many.
func lettersOf(class *syntax.Regexp) (letters []string) {
	for i := 0; i < len(class.Rune); i += 2 {
		if int(class.Rune[i+1]-class.Rune[i])+len(letters) >= classAnchors {
			return nil
		}
		for r := class.Rune[i]; r <= class.Rune[i+1]; r++ {
			letters = append(letters, strings.ToLower(string(r)))
		}
	}
	return letters
}

// beginsBounded says whether an expression begins with \b.
func beginsBounded(tree *syntax.Regexp) bool {
	switch tree.Op {
	case syntax.OpWordBoundary:
		return true
	case syntax.OpConcat, syntax.OpCapture:
		return len(tree.Sub) > 0 && beginsBounded(tree.Sub[0])
	}
	return false
}
