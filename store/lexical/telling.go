package lexical

import (
	"cmp"
	"slices"
	"strings"
)

// MostTelling is how many words of a situation are searched for: a long text must not scan the store.
const MostTelling = 12

// Telling picks the terms to search for, at most MostTelling, the most telling first. Where the number
// of records that each stem occurs in is known, those are the rarest that occur at all; frequency is
// nil where a store cannot tell, and looks decide: numbers and identifiers first, then long words.
func Telling(terms []Term, frequency map[string]int) []Term {
	picked := slices.Clone(terms)
	if frequency != nil {
		picked = slices.DeleteFunc(picked, func(t Term) bool { return frequency[t.Stem] <= 0 })
	}
	slices.SortStableFunc(picked, func(a, b Term) int {
		return cmp.Or(
			cmp.Compare(frequency[a.Stem], frequency[b.Stem]),
			compareLooks(a, b),
		)
	})
	return picked[:min(len(picked), MostTelling)]
}

// compareLooks orders by how specific a word looks: first those with digits or underscores, which name
// one thing mostly, then by length.
func compareLooks(a, b Term) int {
	return cmp.Or(
		-compareBool(isIdentifier(a.Word), isIdentifier(b.Word)),
		-cmp.Compare(len(a.Word), len(b.Word)),
	)
}

func isIdentifier(word string) bool {
	return strings.ContainsAny(word, "_0123456789")
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
