package meanings

import (
	"mneme/memory"
	"mneme/store/async"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
)

// recordsEach are worth a processor of their own.
const recordsEach = 1 << 10

// Guesses are about how near the meanings of records of a kind are to a query's, by their sketches in memory: 0 for what is not there or far. The
// records are sorted, each once. What was written since the last search for the nearest is not known.
func Guesses(c *db.Conn, kind memory.Kind, query *meaning.Code, nodes []int64) []float64 {
	s := db.Kept[signatures](c)
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	guesses := make([]float64, len(nodes))
	of := s.kinds[kind]
	if of == nil {
		return guesses
	}
	guess, places := query.Guess(), of.order.placesOf(of, nodes)
	async.InParts(len(places), recordsEach, func(from, until int) (done struct{}) {
		for i := from; i < until; i++ {
			guesses[i] = of.guess(guess, int(places[i]))
		}
		return done
	})
	return guesses
}

// guess is that of the revision whose first code is at a place.
func (s *signed) guess(guess *meaning.Guess, first int) (nearest float64) {
	for i := first; i >= 0 && i < len(s.revisions) && s.revisions[i] == s.revisions[first]; i++ {
		cosine, _ := guess.Cosine(s.sketch(i))
		nearest = max(nearest, cosine)
	}
	return nearest
}
