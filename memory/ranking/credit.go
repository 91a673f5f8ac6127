package ranking

import "mneme/memory"

// Evidence is what became of the episodes that one informed. The zero Evidence is none.
type Evidence struct {
	Runs   int     // of which something is known
	Helped int     // of these, those that turned out well
	Sum    float64 // of how each turned out, −1 to 1
}

// With adds an episode by its outcome and its feedback: it counts as the mean of what is known, SUCCESS 1, FAILURE −1
// and the mean of its feedback. One of which nothing is known does not count.
func (e Evidence) With(outcome memory.Outcome, feedbackSum float64, feedbackCount int) Evidence {
	sum, known := 0.0, 0
	if grade := outcome.Grade(); grade != nil {
		sum, known = 2**grade-1, 1
	}
	if feedbackCount > 0 {
		sum, known = sum+feedbackSum/float64(feedbackCount), known+1
	}
	if known == 0 {
		return e
	}
	e.Runs++
	if sum > 0 {
		e.Helped++
	}
	e.Sum += sum / float64(known)
	return e
}

// Usefulness is Σ / (n + 5), −1 to 1: smoothed, so that one case says little.
func (e Evidence) Usefulness() float64 { return e.Sum / float64(e.Runs+smoothing) }

// Keys are those of candidates.
func Keys(candidates []Candidate) []string {
	return memory.Mapped(candidates, func(c Candidate) string { return c.Key })
}
