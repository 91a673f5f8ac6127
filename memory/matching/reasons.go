package matching

import (
	"fmt"
	"strings"
	"time"
)

// From where on a part is worth a word. By the built-in table, of 100 questions that are paraphrases of records 49 of the 50 that
// share some words with theirs are at sameMeaning or above, and 33 of the 50 that share few at LeastMeaning; of pairs that have nothing to
// do with one another 0.2 % and 2.8 %.
const (
	leastWords = 0.05
	// LeastMeaning is the least A by which a record is found that has none of the words: less is like anything.
	LeastMeaning = 0.3
	sameMeaning  = 0.5
)

// Reasons says in words why a record matches: by its words or those said next to it, by what it means, and by the time and
// the name that the query has: "has the words: .62", "said next to it", "means the same: .71", "in May 2023", "said
// by Ann". Dates are those of the query, at is the record's time, and speaker whom it names of the record (see
// Names.Speaker). A part that hardly counts is no reason.
func Reasons(p Parts, dates []Date, at time.Time, speaker string) []string {
	var reasons []string
	if p.Own >= leastWords {
		reasons = append(reasons, "has the words: "+hundredths(p.Own))
	}
	if p.Words >= leastWords && p.Own < p.Words/2 {
		reasons = append(reasons, "said next to it")
	}
	switch {
	case !p.Compared || p.Meaning < LeastMeaning:
	case p.Meaning < sameMeaning:
		reasons = append(reasons, "means something like it: "+hundredths(p.Meaning))
	default:
		reasons = append(reasons, "means the same: "+hundredths(p.Meaning))
	}
	if date := dateReason(dates, at); date != "" {
		reasons = append(reasons, date)
	}
	if p.Speaker > 0 && speaker != "" {
		reasons = append(reasons, "said by "+speaker)
	}
	return reasons
}

// HasWords says whether a match has words of the query, itself or said next to it, to speak of.
func HasWords(p Parts) bool { return max(p.Own, p.Words) >= leastWords }

// hundredths writes a share as ".71", and the whole as "1".
func hundredths(share float64) string {
	text := fmt.Sprintf("%.2f", share)
	if text == "1.00" {
		return "1"
	}
	return strings.TrimPrefix(text, "0")
}
