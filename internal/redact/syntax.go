package redact

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// The bounds of looking for anchors: how many there may be, from which length on one is worth looking
// for, from which it is long enough, and how much of a longer one is looked for.
const (
	maxAnchors   = 64
	leastAnchor  = 2
	enoughAnchor = 12
	maxAnchor    = 20
	classAnchors = 8 // the most letters of a class that are told apart
)

// beginning is how a match may begin; it may go on with what the expression says next where open is set.
type beginning struct {
	text string
	open bool
}

// anchorsOf is the texts, in lower case, one of which every match of an expression begins with; nil
// where there are too many, or one would be too short to look for.
func anchorsOf(tree *syntax.Regexp) []string {
	var anchors []string
	for _, b := range beginnings(tree) {
		if len(b.text) < leastAnchor {
			return nil
		}
		anchors = append(anchors, b.text[:min(len(b.text), maxAnchor)])
	}
	slices.Sort(anchors)
	return slices.Compact(anchors)
}

func beginnings(tree *syntax.Regexp) []beginning {
	switch tree.Op {
	case syntax.OpLiteral:
		return []beginning{{strings.ToLower(string(tree.Rune)), true}}
	case syntax.OpCharClass:
		return classBeginnings(tree)
	case syntax.OpCapture:
		return beginnings(tree.Sub[0])
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpBeginText:
		return []beginning{{"", true}}
	case syntax.OpQuest:
		return append(beginnings(tree.Sub[0]), beginning{"", true})
	case syntax.OpPlus:
		return closed(beginnings(tree.Sub[0]))
	case syntax.OpRepeat:
		if tree.Min > 0 {
			return closed(beginnings(tree.Sub[0]))
		}
	case syntax.OpAlternate:
		var all []beginning
		for _, sub := range tree.Sub {
			all = append(all, beginnings(sub)...)
		}
		return all
	case syntax.OpConcat:
		return concatenated(tree.Sub)
	}
	return []beginning{{}}
}

func classBeginnings(tree *syntax.Regexp) []beginning {
	var letters []string
	for i := 0; i < len(tree.Rune); i += 2 {
		if int(tree.Rune[i+1]-tree.Rune[i])+len(letters) >= classAnchors {
			return []beginning{{}}
		}
		for r := tree.Rune[i]; r <= tree.Rune[i+1]; r++ {
			letters = append(letters, strings.ToLower(string(r)))
		}
	}
	slices.Sort(letters)
	var all []beginning
	for _, letter := range slices.Compact(letters) {
		all = append(all, beginning{letter, true})
	}
	return all
}

func concatenated(parts []*syntax.Regexp) []beginning {
	all := []beginning{{"", true}}
	for _, part := range parts {
		goOn := beginnings(part)
		var longer []beginning
		for _, b := range all {
			if !b.open || len(b.text) >= enoughAnchor {
				longer = append(longer, b)
				continue
			}
			for _, next := range goOn {
				longer = append(longer, beginning{b.text + next.text, next.open})
			}
		}
		if len(longer) > maxAnchors {
			return closed(all)
		}
		all = longer
	}
	return all
}

func closed(all []beginning) []beginning {
	for i := range all {
		all[i].open = false
	}
	return all
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
