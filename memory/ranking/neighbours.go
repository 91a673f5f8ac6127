package ranking

import (
	"cmp"
	"slices"
)

// neighbourShare is the part of a record's score that is added to each of its neighbours.
const neighbourShare = 0.3

// Scored is a record and how well it matches.
type Scored struct {
	Key   string
	Score float64
}

// WithNeighbours adds to the scores of a session's records a part of their neighbours', because an answer often stands
// next to the words that were asked for:
//
//	score = own + 0.3·(score of the record before + score of the record after)
//
// where a record that does not match has 0, so that one next to a match is found, too. Scores holds the
// records that match; neighbours says for each of them which record comes before it and which after,
// empty where there is none. The answer is ranked: best first, equals by key.
func WithNeighbours(scores map[string]float64, neighbours map[string][2]string) []Scored {
	before, after := map[string]float64{}, map[string]float64{}
	found := map[string]bool{}
	for key, score := range scores {
		found[key] = true
		sides := neighbours[key]
		if sides[0] != "" {
			after[sides[0]], found[sides[0]] = score, true
		}
		if sides[1] != "" {
			before[sides[1]], found[sides[1]] = score, true
		}
	}
	ranked := make([]Scored, 0, len(found))
	for key := range found {
		ranked = append(ranked, Scored{Key: key, Score: scores[key] + float64(neighbourShare*(before[key]+after[key]))})
	}
	slices.SortFunc(ranked, compareScored)
	return ranked
}

func compareScored(a, b Scored) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key))
}
