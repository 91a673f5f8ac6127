package ranking

import (
	"cmp"
	"slices"
	"time"
)

// Rank returns the best k candidates, best first; among equal totals the newer first, then by key.
// Where any candidate matches (Semantic above 0), those that do not are left out; where none does,
// all stay, and recency and boosts alone decide.
func Rank(candidates []Candidate, w Weights, now time.Time, k int) []Ranked {
	if k <= 0 {
		return []Ranked{}
	}
	best := 0.0
	for i := range candidates {
		best = max(best, candidates[i].Semantic())
	}
	top := make([]Ranked, 0, len(candidates))
	for _, c := range candidates {
		if c.Semantic() > 0 || best == 0 {
			top = append(top, Ranked{Candidate: c, Score: w.scaledToBest(w.Score(c, now), best)})
		}
	}
	slices.SortFunc(top, compareRanked)
	return top[:min(k, len(top))]
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
