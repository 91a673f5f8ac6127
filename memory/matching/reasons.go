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
	// Where something has a meaning of nearMeaning or more, what has less than faintShare of that, and no words, is faint.
	nearMeaning, faintShare = 0.45, 0.8
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
		reasons = append(reasons, "means something like it: "+hundredths(min(p.Meaning, sameMeaning-0.01)))
	default:
		reasons = append(reasons, "means the same: "+hundredths(p.Meaning))
	}
	if date := DateReason(dates, at); date != "" {
		reasons = append(reasons, date)
	}
	if p.Speaker > 0 && speaker != "" {
		reasons = append(reasons, "said by "+speaker)
	}
	return reasons
}

// HasWords says whether a match has words of the query, itself or said next to it, to speak of.
func HasWords(p Parts) bool { return max(p.Own, p.Words) >= leastWords }

// IsClear says whether a match is one to rely on: it has words to speak of, means the same, or is of a time near one that the query
// names; or the query has no words, so that meaning is all there is. Else it means something like what is asked for, at most.
func IsClear(p Parts) bool {
	return HasWords(p) || p.Date >= leastNear || p.Compared && p.Meaning >= sameMeaning || p.Wordless && p.Meaning > 0
}

// LeastBeside is the least A by which a record that has next to none of the words is worth an answer beside one with the best A: where that is
// 0.45 or more, 0.8 of it, but 0.5 at most; else 0. It holds for the built-in table: of a hundred paraphrases of a hundred records it
// leaves out 3 of the right ones, and 197 of the 275 others that mean something like them.
func LeastBeside(best float64) float64 {
	if best < nearMeaning {
		return 0
	}
	return min(faintShare*best, sameMeaning)
}

// IsFaint says whether a match is not clear, and means less than least.
func IsFaint(p Parts, least float64) bool { return p.Compared && p.Meaning < least && !IsClear(p) }

// hundredths writes a share as ".71", and the whole as "1".
func hundredths(share float64) string {
	text := fmt.Sprintf("%.2f", share)
	if text == "1.00" {
		return "1"
	}
	return strings.TrimPrefix(text, "0")
}
