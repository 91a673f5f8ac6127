package lexical

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxDistinctive is how many words of a situation are searched for: a long text must not scan the store.
const MaxDistinctive = 12

// Distinctive picks the terms to search for, at most MaxDistinctive, the most distinctive first. Where the number
// of records that each stem occurs in is known, those are the rarest that occur at all; frequency is
// nil where a store cannot tell, and the form of the words decides: long ones first. Equals keep the order of the text.
func Distinctive(terms []Term, frequency map[string]int) []Term {
	picked := slices.Clone(terms)
	if frequency != nil {
		picked = slices.DeleteFunc(picked, func(t Term) bool { return frequency[t.Stem] <= 0 })
	}
	picked = DistinctiveFirst(picked, frequency)
	return picked[:min(len(picked), MaxDistinctive)]
}

// DistinctiveFirst orders terms by how much they tell: the rarest first, as far as the frequency of their
// stems tells, and among equals by the form of the words. The terms themselves stay as they were.
func DistinctiveFirst(terms []Term, frequency map[string]int) []Term {
	return slices.SortedStableFunc(slices.Values(terms), func(a, b Term) int {
		return cmp.Or(cmp.Compare(frequency[a.Stem], frequency[b.Stem]), compareForms(a, b))
	})
}

// mostConsidered is how many words a store is asked about.
const mostConsidered = 2000

// Considered are the terms that a store is asked about: those that look the most specific where a text has very
// many, in the order of the text.
func Considered(terms []Term) []Term {
	if len(terms) <= mostConsidered {
		return terms
	}
	looks := make([]int, len(terms))
	for i, term := range terms {
		looks[i] = specificity(term.Word)
	}
	sorted := slices.Sorted(slices.Values(looks))
	least := sorted[len(sorted)-mostConsidered]
	spare := mostConsidered // of those that look just specific enough
	for _, look := range looks {
		if look > least {
			spare--
		}
	}
	considered := make([]Term, 0, mostConsidered)
	for i, term := range terms {
		switch {
		case looks[i] > least:
			considered = append(considered, term)
		case looks[i] == least && spare > 0:
			considered = append(considered, term)
			spare--
		}
	}
	return considered
}

// compareForms orders by how specific a word looks. Of the rules tried on the airline runs of
// tau-bench (recall@4 of a task's trials: first words 0.90, identifiers before all else 0.98, longest
// 1.00) length is the best; identifiers count a little more because they name one thing.
func compareForms(a, b Term) int {
	return -cmp.Compare(specificity(a.Word), specificity(b.Word))
}

func specificity(word string) int {
	letters := utf8.RuneCountInString(word)
	if strings.ContainsAny(word, "_0123456789") {
		return letters + 2
	}
	return letters
}
