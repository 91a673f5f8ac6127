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
	matched := slices.ContainsFunc(candidates, func(c Candidate) bool { return c.Semantic() > 0 })
	top := make([]Ranked, 0, len(candidates))
	for _, c := range candidates {
		if c.Semantic() > 0 || !matched {
			top = append(top, Ranked{Candidate: c, Score: w.Score(c, now)})
		}
	}
	slices.SortFunc(top, compareRanked)
	return top[:min(k, len(top))]
}

func compareRanked(a, b Ranked) int {
	if byTotal := cmp.Compare(b.Score.Total, a.Score.Total); byTotal != 0 {
		return byTotal
	}
	if byAge := b.StartedAt.Compare(a.StartedAt); byAge != 0 {
		return byAge
	}
	return cmp.Compare(a.Key, b.Key)
}
