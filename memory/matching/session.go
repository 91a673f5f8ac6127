package matching

// Reach is how many records on either side lend a record their words.
const Reach = 4

// lent is how much of a word's worth is left after so many steps: 0.7 to the power of them.
var lent = [Reach + 1]float64{1, 0.7, 0.49, 0.343, 0.2401}

// Match is how a record matches by words.
type Match struct {
	// Words is C: the share of what is possible, in 0…1, with what the neighbours lend.
	Words float64
	// Own is the share that the record has by itself.
	Own float64
}

// Run scores records that follow one another in a session, without a gap. To score one as in its whole session, hand over
// Reach on either side of it as well, or what there is.
func (q *Query) Run(documents []Document) []Match {
	best := make([]float64, len(documents)) // of one word
	sums := make([]Match, len(documents))
	for word := range q.Stems {
		clear(best)
		for i := range documents {
			own := q.bm25(word, &documents[i])
			if own == 0 {
				continue
			}
			sums[i].Own += own
			for at := max(0, i-Reach); at <= min(len(documents)-1, i+Reach); at++ {
				best[at] = max(best[at], float64(lent[max(at-i, i-at)]*own))
			}
		}
		for i, w := range best {
			sums[i].Words += w
		}
	}
	for i := range sums {
		sums[i] = Match{Words: q.share(sums[i].Words), Own: q.share(sums[i].Own)}
	}
	return sums
}

// Bound is the most that Words can be for a record that is not read yet: steps are, for each of the query's stems,
// how many records away the nearest stands that has it, 0 for the record itself, and less than 0 where none is known
// within Reach. In the order of their bounds records come about as in that of their scores, which are 1/1.3 of it
// where those that have the words are of average length.
func (q *Query) Bound(steps []int) float64 {
	sum := 0.0
	for word, away := range steps {
		if away >= 0 && away <= Reach && word < len(q.IDF) {
			sum += float64(lent[away] * float64(saturation*q.IDF[word]))
		}
	}
	return q.share(sum)
}
