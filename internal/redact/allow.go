package redact

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// allowance says what looks like a secret and is none: a placeholder, a name, a word of English.
type allowance struct {
	secret, match func() *regexp.Regexp // nil where there is none
	words         []string              // in lower case
}

// newAllowance joins lists of exceptions. Those about files and lines of source code are left out.
func newAllowance(lists []exceptions) *allowance {
	var secret, match, words []string
	for _, list := range lists {
		switch list.RegexTarget {
		case "":
			secret = append(secret, list.Regexes...)
		case "match":
			match = append(match, list.Regexes...)
		}
		words = append(words, strings.Fields(strings.ToLower(strings.Join(list.StopWords, "\n")))...)
	}
	return &allowance{secret: anyOf(secret), match: anyOf(match), words: words}
}

func anyOf(expressions []string) func() *regexp.Regexp {
	if len(expressions) == 0 {
		return nil
	}
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("(?:" + strings.Join(expressions, ")|(?:") + ")")
	})
}

// allows says whether the secret of a match may stay.
func (a *allowance) allows(secret, match string) bool {
	if a == nil {
		return false
	}
	inLower := strings.ToLower(secret)
	return a.secret != nil && a.secret().MatchString(secret) ||
		a.match != nil && a.match().MatchString(match) ||
		slices.ContainsFunc(a.words, func(word string) bool { return strings.Contains(inLower, word) })
}

// entropyOf is the entropy of a text in bits a byte, after Shannon.
func entropyOf(text string) float64 {
	var counts [256]int
	for i := range len(text) {
		counts[text[i]]++
	}
	var entropy float64
	for _, n := range counts {
		if share := float64(n) / float64(len(text)); share > 0 {
			entropy -= share * math.Log2(share)
		}
	}
	return entropy
}
