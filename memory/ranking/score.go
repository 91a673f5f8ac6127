package ranking

import (
	"math"
	"time"

	"mneme/memory/decay"
)

// smoothing is the number of neutral votes that SMOOTHED adds to the real ones.
const smoothing = 5

// leastMatch is the least that counts as a match: what two decimals show as more than nothing. A word that
// nearly all episodes have matches them all by less, and recency would then decide alone.
const leastMatch = 0.005

// Semantic is how well the candidate matches the situation, in 0…1; 0 below 0.005.
func (c Candidate) Semantic() float64 {
	if c.Match < leastMatch {
		return 0
	}
	return min(1, c.Match)
}

// Score rates a candidate at a time:
//
//	total = Semantic·s + Temporal·0.5^(age/HalfLifeDays) + canvas boost + feedback boost or penalty + Credit·usefulness
//
// with the age counted from StartedAt and never negative. Total is not clamped. It is the total as if this were the
// best match: Rank scales recency and boosts of the others down, and never a penalty for dislikes (see scaledToBest).
func (w Weights) Score(c Candidate, now time.Time) Score {
	s := Score{
		Semantic: c.Semantic(),
		Temporal: decay.Factor(c.StartedAt, now, w.HalfLifeDays),
		Feedback: w.feedbackBoost(c.FeedbackSum, c.FeedbackCount),
		Credit:   w.Credit * c.Informed.Usefulness(),
	}
	if c.CanvasActionCount > 0 {
		s.Canvas = w.CanvasBoost
	}
	s.Total = w.total(s, 1)
	return s
}

// scaledToBest is a score beside a best match: recency and boosts count by the square of its match divided by the best,
// so that they hardly lift what is remote. A penalty stays whole.
func (w Weights) scaledToBest(s Score, best float64) Score {
	if best == 0 {
		return s
	}
	lift := (s.Semantic / best) * (s.Semantic / best)
	s.Canvas *= lift
	s.Credit *= lift
	if s.Feedback > 0 {
		s.Feedback *= lift
	}
	s.Total = w.total(s, lift)
	return s
}

// total adds up the parts. The conversions keep the compiler from fusing operations, so that equal parts give equal
// totals wherever this is inlined; the boosts are added first, so that 0.7 + 0.1 + 0.2 is 1.
func (w Weights) total(s Score, lift float64) float64 {
	base := float64(w.Semantic*s.Semantic) + float64(lift*float64(w.Temporal*s.Temporal))
	return base + (s.Canvas + s.Feedback) + s.Credit
}

func (w Weights) feedbackBoost(sum float64, count int) float64 {
	if count == 0 || sum == 0 {
		return 0
	}
	strength := 1.0
	switch w.Feedback {
	case FeedbackOff:
		return 0
	case FeedbackSmoothed:
		strength = math.Abs(sum) / float64(count+smoothing)
	}
	if sum > 0 {
		return w.PositiveBoost * strength
	}
	return -w.NegativePenalty * strength
}

// SupersededScore is what a concept scores in a search that another took the place of: half of how well it matches, so
// that what holds comes before what held where both match about equally, and what matches far better is still found
// first.
func SupersededScore(score float64) float64 { return score / 2 }
