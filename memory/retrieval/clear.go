package retrieval

import "slices"

// From where on a part is worth a word. By the built-in table, of 100 questions that are paraphrases of records 49 of
// the 50 that share some words with theirs are at sameMeaning or above, and 33 of the 50 that share few at
// leastMeaning; of pairs that have nothing to do with one another 0.2 % and 2.8 %.
const (
	leastWords   = 0.05
	leastMeaning = 0.3
	sameMeaning  = 0.5
	leastNear    = 0.25
	// Where something has a meaning of nearMeaning or more, what has less than faintShare of that, and no words, is faint.
	nearMeaning, faintShare = 0.45, 0.8
)

// HasWords says whether a match has words of the question, itself or beside it, to speak of.
func (m *Match) HasWords() bool { return max(m.Own, m.Words) >= leastWords }

// IsClear says whether a match is one to rely on: it has words to speak of, means the same, or is of a time near one
// that the question names. Else it means something like what is asked for, at most.
func (m *Match) IsClear() bool {
	return m.HasWords() || m.Date >= leastNear || m.Meaning >= sameMeaning
}

// Clear leaves out the records that match by their meaning alone where another means what is asked for far better: age
// and reactions would lift any of them among the first.
func Clear(records []Record) []Record {
	best := 0.0
	for i := range records {
		if !records[i].Embedded {
			best = max(best, records[i].Meaning)
		}
	}
	if best < nearMeaning {
		return records
	}
	least := min(faintShare*best, sameMeaning)
	return slices.DeleteFunc(records, func(r Record) bool { return isFaint(&r.Match, least) })
}

// isFaint says whether a match has no words, and means less than least by the built-in vectors; half of it is enough
// where the question names its time or who says it.
func isFaint(m *Match, least float64) bool {
	if m.Date >= leastNear || m.Speaker != "" {
		least /= 2
	}
	return !m.Embedded && !m.HasWords() && m.Meaning < least
}
