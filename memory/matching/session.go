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

// Has are the words of a query that a record has: bit i for the stem at place i.
type Has uint16

// Promises are about what records will score that are not read yet: those of a session that have any of the words, in
// their order. It is Words as if nothing stood between them and each were of average length and had its words once. No
// record scores more than 1.3 times its promise.
//
// So a store can smooth before it cuts: of 200,000 records in sessions of 20 with words at random, where nothing stands
// out, the 500 that promise most and their neighbours held .993 and more of the first 20 of all, and each of the first five; a
// test of memorytest measures it on fewer.
func (q *Query) Promises(has []Has) []float64 {
	sums := make([]float64, len(has))
	best := make([]float64, len(has)) // how much of a word is left
	for word, idf := range q.IDF {
		clear(best)
		for i := range has {
			if has[i]>>word&1 == 0 {
				continue
			}
			for at := max(0, i-Reach); at <= min(len(has)-1, i+Reach); at++ {
				best[at] = max(best[at], lent[max(at-i, i-at)])
			}
		}
		for i, left := range best {
			sums[i] += float64(left * idf)
		}
	}
	for i := range sums {
		sums[i] = q.share(sums[i])
	}
	return sums
}
