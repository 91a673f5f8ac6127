package compaction

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// phrases are long-winded wordings and what says the same. A phrase stands here only where it has no other sense:
// "simply" is part of a term ("a simply supported beam"), and "at this point in time" may tell of the past.
var phrases = map[string]string{
	"despite the fact that":     "although",
	"due to the fact that":      "because",
	"for the purpose of":        "for",
	"in close proximity to":     "near",
	"in order to":               "to",
	"in spite of the fact that": "although",
	"in the event that":         "if",
	"owing to the fact that":    "because",
	"until such time as":        "until",
	"with regard to":            "about",
}

// phrase finds them amid a sentence: in lower case and before a word in lower case, so names are spared.
var phrase = regexp.MustCompile(` (?:` + strings.Join(slices.Sorted(maps.Keys(phrases)), "|") + `) [a-z]`)

// maxPasses is how often prose is gone over until nothing changes. What needs more is made to need it, and stays.
const maxPasses = 8

// shortened is prose with shorter wordings.
func shortened(prose string) string {
	shorter := prose
	for range maxPasses {
		next := phrase.ReplaceAllStringFunc(shorter, func(found string) string {
			end := len(found) - len(" a")
			return " " + phrases[found[1:end]] + found[end:]
		})
		if next == shorter {
			return shorter
		}
		shorter = next
	}
	return prose
}
