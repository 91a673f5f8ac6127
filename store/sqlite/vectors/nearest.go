package vectors

import (
	"context"
	"slices"

	"mneme/store/async"
	"mneme/store/sqlite/db"
)

// Guesses are about how near the vectors of a file are to one.
type Guesses struct {
	episodes []int64
	cosines  []float32
	// Left says that there are more vectors than are in memory, the latest recorded.
	Left bool
}

// Guess is an episode, and about the cosine of its vector.
type Guess struct {
	Episode int64
	Cosine  float64
}

// each is how many vectors are worth a processor of their own.
const each = 1 << 14

// Compare guesses how near all vectors are to one, which is as long as they. One that is 0 is near to none.
func Compare(ctx context.Context, c *db.Conn, query []float32) (*Guesses, error) {
	s := db.Kept[signs](c)
	if err := s.update(ctx, c, len(query)); err != nil {
		return nil, err
	}
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	g := &Guesses{episodes: s.episodes, cosines: make([]float32, len(s.episodes)), Left: s.left}
	unit := make([]float64, len(query))
	for i, x := range query {
		unit[i] = float64(x)
	}
	if !normalize(unit) || s.space == nil || len(s.space.centre) != len(query) {
		return g, nil
	}
	asked := s.space.ask(unit)
	async.InParts(len(g.cosines), each, func(from, until int) (done struct{}) {
		for i := from; i < until; i++ {
			g.cosines[i] = asked.cosine(s.at(i), s.told[i])
		}
		return done
	})
	return g, nil
}

// Size is how many vectors there are.
func (g *Guesses) Size() int { return len(g.episodes) }

// Nearest are the nearest so many, as it seems, of those that may be found, by episode; the last recorded of those that are as near as one another.
// That no others may is what all says.
func (g *Guesses) Nearest(most int, may func(episode int64) bool) (found []Guess, all bool) {
	places := make([]int, 0, len(g.episodes))
	for i, episode := range g.episodes {
		if may == nil || may(episode) {
			places = append(places, i)
		}
	}
	if all = len(places) <= most; !all {
		db.BringForward(places, most, func(a, b *int) bool {
			return g.cosines[*a] > g.cosines[*b] || g.cosines[*a] == g.cosines[*b] && *a > *b
		})
		places = places[:most]
		slices.Sort(places)
	}
	return g.guesses(places), all
}

// Of are the guesses of some episodes, in their order, as far as they have vectors.
func (g *Guesses) Of(episodes []int64) []Guess {
	places := make([]int, 0, len(episodes))
	for _, episode := range episodes {
		if place, is := slices.BinarySearch(g.episodes, episode); is {
			places = append(places, place)
		}
	}
	return g.guesses(places)
}

func (g *Guesses) guesses(places []int) []Guess {
	found := make([]Guess, len(places))
	for i, place := range places {
		found[i] = Guess{g.episodes[place], float64(g.cosines[place])}
	}
	return found
}
