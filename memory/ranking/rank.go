package ranking

import (
	"cmp"
	"slices"
	"time"

	"mneme/memory"
)

// Rank returns the best k candidates, best first; among equal totals the newer first, then by key.
// Where any candidate matches (Semantic above 0), those that do not are left out; where none does,
// all stay, and recency and boosts alone decide.
func Rank(candidates []Candidate, w Weights, now time.Time, k int) []Ranked {
	scored, best := w.scored(candidates, now)
	top := slices.DeleteFunc(scored, func(r Ranked) bool { return r.Semantic() == 0 && best > 0 })
	slices.SortFunc(top, compareRanked)
	return top[:min(max(k, 0), len(top))]
}

// scored are candidates with their scores beside the best match, and that match.
func (w Weights) scored(candidates []Candidate, now time.Time) (scored []Ranked, best float64) {
	for i := range candidates {
		best = max(best, candidates[i].Semantic())
	}
	return memory.Mapped(candidates, func(c Candidate) Ranked {
		return Ranked{Candidate: c, Score: w.scaledToBest(w.Score(c, now), best)}
	}), best
}

// Likeness is how like a situation an episode is, so that what is not much like it is not presented as if it were.
type Likeness int

// The least first.
const (
	Unlike       Likeness = iota // it does not match
	PerhapsAlike                 // it has none of the words, and means something like it at most
	Alike                        // it has words of the situation, or means the same
)

func compareRanked(a, b Ranked) int {
	return cmp.Or(cmp.Compare(b.Score.Total, a.Score.Total), b.StartedAt.Compare(a.StartedAt), cmp.Compare(a.Key, b.Key))
}
