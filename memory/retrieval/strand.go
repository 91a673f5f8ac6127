package retrieval

import (
	"cmp"
	"math"
	"slices"

	"mneme/memory"
)

// strand is passages in the order in which they stand: those of a record, or the observations of a session.
type strand []placed

type placed struct {
	*Passage
	place int
}

// strands puts passages in their order.
func strands(found, beside []Passage) []strand {
	at := map[recordID]int{}
	var all []strand
	for _, passages := range [][]Passage{found, beside} {
		for k := range passages {
			p := &passages[k]
			of := recordID{p.Kind, p.Key}
			if p.Session != "" {
				of = recordID{memory.KindSession, p.Session}
			}
			i, known := at[of]
			if !known {
				i = len(all)
				at[of] = i
				all = append(all, nil)
			}
			all[i] = append(all[i], placed{p, p.Number})
		}
	}
	for _, s := range all {
		slices.SortFunc(s, func(a, b placed) int {
			if a.Session == "" {
				return cmp.Compare(a.Number, b.Number)
			}
			return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Number, b.Number))
		})
		if s[0].Session != "" {
			s.place()
		}
	}
	return all
}

// place numbers the observations of a session, with a gap where others may stand between two.
func (s strand) place() {
	whole := -1 - Reach // the place of the last that has its neighbours
	next := func(from int) int {
		for i := from; i < min(len(s), from+Reach); i++ {
			if s[i].Whole {
				return i
			}
		}
		return len(s) + Reach
	}
	for i := range s {
		if s[i].Whole {
			whole = i
		}
		switch {
		case i == 0:
			s[i].place = 0
		case i-whole <= Reach || next(i)-(i-1) <= Reach:
			s[i].place = s[i-1].place + 1
		default:
			s[i].place = s[i-1].place + 1 + Reach
		}
	}
}

// lent is how much of a word's worth is left after so many steps.
var lent = [Reach + 1]float64{1, 0.7, 0.49, 0.343, 0.2401}

// match matches the passages of a strand.
func (q *Question) match(s strand) []Moment {
	moments := make([]Moment, len(s))
	best := make([]float64, len(s)) // of one word
	for word := range q.Words.Stems {
		clear(best)
		for i := range s {
			own := q.Words.has(word, s[i].Passage)
			if own == 0 {
				continue
			}
			moments[i].Own += own
			for _, j := range s.around(i, Reach) {
				best[j] = max(best[j], own*lent[s.apart(i, j)])
			}
		}
		for i, w := range best {
			moments[i].Words += w
		}
	}
	for i := range moments {
		m := &moments[i]
		m.Passage = s[i].Passage
		q.compare(m, s, i)
		m.Date, _ = Near(q.dates, m.At)
		m.Speaker = q.names.speaker(&m.Passage.Passage)
		m.like = q.likeness(m)
		m.Score = calibrate(m.like)
	}
	return moments
}

// around are the places of a strand within reach of one, itself included.
func (s strand) around(at, reach int) []int {
	var places []int
	for j := max(0, at-reach); j <= min(len(s)-1, at+reach); j++ {
		if s.apart(at, j) <= reach {
			places = append(places, j)
		}
	}
	return places
}

func (s strand) apart(i, j int) int { return max(s[i].place-s[j].place, s[j].place-s[i].place) }

// near is how much the vectors of observations count beside one's own, by how many steps they are away.
var near = [...]float32{1, 0.5, 0.25}

// compare sets the cosine of the question with a passage; with an observation as it stands in its session, if any.
func (q *Question) compare(m *Moment, s strand, at int) {
	asked := q.Embedding
	if m.BuiltIn {
		asked = q.BuiltIn
	}
	if len(m.Vector) == 0 || len(m.Vector) != len(asked) {
		return
	}
	vector := m.Vector
	if m.Session != "" {
		vector = s.blend(at)
	}
	var product, squareA, squareB float64
	for k, x := range vector {
		x, y := float64(x), float64(asked[k])
		product += x * y
		squareA += x * x
		squareB += y * y
	}
	if squareA > 0 && squareB > 0 {
		m.Meaning, m.Compared, m.Embedded = product/math.Sqrt(squareA*squareB), true, !m.BuiltIn
	}
}

// blend adds the vectors around one of the same kind to it.
func (s strand) blend(at int) []float32 {
	sum := make([]float32, len(s[at].Vector))
	for _, j := range s.around(at, len(near)-1) {
		if s[j].BuiltIn == s[at].BuiltIn && len(s[j].Vector) == len(sum) {
			for k, x := range s[j].Vector {
				sum[k] += near[s.apart(at, j)] * x
			}
		}
	}
	return sum
}
