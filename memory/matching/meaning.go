package matching

import "math"

// near is how much the vectors of neighbours count beside a record's own, by how many steps they are away.
var near = [...]float64{1, 0.5, 0.25}

// Beside is how many records on either side a record's meaning takes in.
const Beside = len(near) - 1

// MostParts is how many vectors an episode has at most: that of the whole, and of its first lines.
const MostParts = 8

// Cosine is the cosine of two vectors, in −1…1; 0 where one has no length, or another length than the other.
func Cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var product, squareA, squareB float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		product += float64(x * y)
		squareA += float64(x * x)
		squareB += float64(y * y)
	}
	return cosine(product, squareA, squareB)
}

func cosine(product, squareA, squareB float64) float64 {
	if c := product / (math.Sqrt(squareA) * math.Sqrt(squareB)); c >= -1 && c <= 1 {
		return c
	} else if math.IsNaN(c) || math.IsInf(c, 0) {
		return 0
	} else {
		return math.Copysign(1, c)
	}
}

// Around is A of a record in a session: the cosine of the query with
//
//	v(d) + 0.5·(v(d−1) + v(d+1)) + 0.25·(v(d−2) + v(d+2))
//
// in −1…1. Before and after are the vectors of its neighbours, the nearest first, nil for one that has none; what is
// more than Beside of either does not count. The vectors have the length 1, or they would weigh more or less. It is 0 where the
// record has no vector itself: it says nothing, and what others say is said next to it.
func Around(query, own []float32, before, after [][]float32) float64 {
	if len(own) != len(query) || len(own) == 0 {
		return 0
	}
	sum := make([]float64, len(own))
	add := func(v []float32, weight float64) {
		for i := range v {
			sum[i] += float64(weight * float64(v[i]))
		}
	}
	add(own, near[0])
	for step := 1; step <= Beside; step++ {
		for _, side := range [...][][]float32{before, after} {
			if step <= len(side) && len(side[step-1]) == len(own) {
				add(side[step-1], near[step])
			}
		}
	}
	var product, squareA, squareB float64
	for i, x := range sum {
		y := float64(query[i])
		product += float64(x * y)
		squareA += float64(x * x)
		squareB += float64(y * y)
	}
	return cosine(product, squareA, squareB)
}

// alike is about the cosine of the vectors of two records of a session.
const alike = 0.4

// GuessAround is about what Around is of the record at a place in a session, by the cosines of the query with the vectors of those that stand
// there, each by itself: as if these were all equally alike. It tells which to compare.
func GuessAround(cosines []float64, at int) float64 {
	product, weights, squares := 0.0, 0.0, 0.0
	for i := max(0, at-Beside); i <= min(len(cosines)-1, at+Beside); i++ {
		weight := near[max(i-at, at-i)]
		product += float64(weight * cosines[i])
		weights += weight
		squares += float64(weight * weight)
	}
	if weights == 0 {
		return 0
	}
	return product / math.Sqrt(float64((1-alike)*squares)+float64(alike*weights*weights))
}

// Best is A of an episode: the cosine of the query with that of its parts which is nearest, in −1…1; 0 where there are
// none. Of more than MostParts, the first count.
func Best(query []float32, parts [][]float32) float64 {
	best, compared := 0.0, false
	for _, part := range parts[:min(len(parts), MostParts)] {
		if c := Cosine(query, part); len(part) == len(query) && (!compared || c > best) {
			best, compared = c, true
		}
	}
	return best
}
