package memory

import (
	"cmp"
	"slices"
	"time"
)

// Rank returns the best k candidates, best first; among equal totals the newer first, then by key.
// Where any candidate matches (Semantic above 0), those that do not are left out; where none does,
// all stay, and recency and boosts alone decide.
//
// certain says that no unseen candidate can still enter the top k, so that reading on would change
// nothing: the threshold algorithm of Fagin, Lotem and Naor (PODS 2001), with the best boosts as the
// bound of what the streams do not sort by. It relies on a matching candidate being seen wherever
// there is one, which holds from the first round of best-first streams.
func Rank(candidates []Candidate, unseen Unseen, w Weights, now time.Time, k int) (top []Ranked, certain bool) {
	if k <= 0 {
		return []Ranked{}, true
	}
	matched := slices.ContainsFunc(candidates, func(c Candidate) bool { return c.Semantic() > 0 })
	top = make([]Ranked, 0, len(candidates))
	for _, c := range candidates {
		if c.Semantic() > 0 || !matched {
			top = append(top, Ranked{Candidate: c, Score: w.Score(c, now)})
		}
	}
	slices.SortFunc(top, compareRanked)
	top = top[:min(k, len(top))]
	return top, unseen.cannotEnter(top, matched, w, now, k)
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

// cannotEnter says whether the top stands whatever the unseen candidates are like. Matched says that
// a match was seen; without one there is none to come.
func (u Unseen) cannotEnter(top []Ranked, matched bool, w Weights, now time.Time, k int) bool {
	switch {
	case u.Exhausted, matched && u.semantic() == 0:
		return true
	case len(top) < k:
		return false
	}
	return top[k-1].Score.Total > u.bound(matched, w, now)
}

// rounding is the relative slack for the last bits of the decay, which need not fall strictly with
// the age.
const rounding = 1e-12

// bound is the most that an unseen candidate can total.
func (u Unseen) bound(matched bool, w Weights, now time.Time) float64 {
	most := Score{
		Temporal: decay(u.StartedAt, now, w.HalfLifeDays) * (1 + rounding),
		Canvas:   w.CanvasBoost,
	}
	if matched {
		most.Semantic = u.semantic()
	}
	if w.Feedback != FeedbackOff {
		most.Feedback = w.PositiveBoost
	}
	return w.total(most)
}

func (u Unseen) semantic() float64 {
	return Candidate{Lexical: u.Lexical, Cosine: u.Cosine}.Semantic()
}
