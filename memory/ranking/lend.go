package ranking

import (
	"cmp"
	"slices"
)

// lent is the part of a record's relevance that it lends to each of its neighbours.
const lent = 0.3

// Scored is a record and how well it matches.
type Scored struct {
	Key   string
	Score float64
}

// Lend lets neighbours of a session lend each other relevance, because an answer often stands next to
// the words that were asked for:
//
//	score = own + 0.3·(score of the record before + score of the record after)
//
// where a record that does not match has 0, so that one next to a match enters. Scores holds the
// records that match; neighbours says for each of them which record comes before it and which after,
// empty where there is none. The answer is ranked: best first, equals by key.
func Lend(scores map[string]float64, neighbours map[string][2]string) []Scored {
	before, after := map[string]float64{}, map[string]float64{} // what stands before or after lends
	lentTo := map[string]bool{}
	for key, score := range scores {
		lentTo[key] = true
		sides := neighbours[key]
		if sides[0] != "" {
			after[sides[0]], lentTo[sides[0]] = score, true
		}
		if sides[1] != "" {
			before[sides[1]], lentTo[sides[1]] = score, true
		}
	}
	ranked := make([]Scored, 0, len(lentTo))
	for key := range lentTo {
		ranked = append(ranked, Scored{Key: key, Score: scores[key] + float64(lent*(before[key]+after[key]))})
	}
	slices.SortFunc(ranked, compareScored)
	return ranked
}

func compareScored(a, b Scored) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key))
}
