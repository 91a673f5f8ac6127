package vectors

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// space tells vectors by the signs of their differences from a centre, and estimates cosines by these (Gao and Long 2024, RaBitQ, without
// its rotation). What all vectors have in common says nothing of which are near, and would make most signs the same.
type space struct {
	centre []float64 // the mean of vectors of length 1
	square float64   // of its length
}

// newSpace is for vectors like some, all as long as the first, at least one.
func newSpace(some [][]float64) *space {
	s := &space{centre: make([]float64, len(some[0]))}
	for _, v := range some {
		for i, x := range v {
			s.centre[i] += x / float64(len(some))
		}
	}
	for _, x := range s.centre {
		s.square += x * x
	}
	return s
}

// words is how many numbers of 64 bits have the signs of a vector.
func (s *space) words() int { return (len(s.centre) + 63) / 64 }

// told is what is kept of a vector beside its signs. Their product with the difference of a query from the centre, times scale, is about the product of
// both differences; offset is the product with the centre.
type told struct{ scale, offset float32 }

// tell writes the signs of a vector of length 1.
func (s *space) tell(v []float64, signs []uint64) told {
	var square, sum, offset float64
	for word := range signs {
		var set uint64
		for bit, x := range v[64*word : min(64*(word+1), len(v))] {
			centre := s.centre[64*word+bit]
			d := x - centre
			if d > 0 {
				set |= 1 << bit
			}
			square, sum, offset = square+d*d, sum+math.Abs(d), offset+x*centre
		}
		signs[word] = set
	}
	if sum == 0 {
		return told{offset: float32(offset)}
	}
	return told{float32(square / sum), float32(offset)}
}

// planes is how many bits tell a number of a query.
const planes = 6

// asked is a query: its difference from the centre in whole numbers of so many steps, whose bits lie in planes.
type asked struct {
	bits                    [][planes]uint64
	least, step, sum, level float64
}

// ask is for a query of length 1.
func (s *space) ask(v []float64) *asked {
	a := &asked{bits: make([][planes]uint64, s.words()), least: math.Inf(1), level: -s.square}
	most := math.Inf(-1)
	for i, x := range v {
		d := x - s.centre[i]
		a.least, most, a.sum, a.level = min(a.least, d), max(most, d), a.sum+d, a.level+x*s.centre[i]
	}
	if a.step = (most - a.least) / (1<<planes - 1); a.step == 0 {
		return a
	}
	for i, x := range v {
		number := uint64(math.Round((x - s.centre[i] - a.least) / a.step))
		for plane := range planes {
			a.bits[i/64][plane] |= number >> plane & 1 << (i % 64)
		}
	}
	return a
}

// cosine is about that of the query and a vector, not held within −1 and 1.
func (a *asked) cosine(signs []uint64, of told) float32 {
	var count [planes]int
	set := 0
	for word, sign := range signs {
		plane := &a.bits[word]
		set += bits.OnesCount64(sign)
		for p := range plane {
			count[p] += bits.OnesCount64(sign & plane[p])
		}
	}
	steps := 0
	for p, n := range count {
		steps += n << p
	}
	product := 2*(a.least*float64(set)+a.step*float64(steps)) - a.sum
	return float32(float64(of.scale)*product + float64(of.offset) + a.level)
}

// decode reads a vector of a length (see graph.EncodeVector) into one of length 1; ok is false where it is none, or has no direction.
func decode(encoded []byte, into []float64) (ok bool) {
	if len(encoded) != 4*len(into) {
		return false
	}
	for i := range into {
		into[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(encoded[4*i:])))
	}
	return normalize(into)
}

// normalize makes a vector's length 1; ok is false where it has no direction.
func normalize(v []float64) (ok bool) {
	square := 0.0
	for _, x := range v {
		square += x * x
	}
	length := math.Sqrt(square)
	if length == 0 || math.IsInf(length, 0) || math.IsNaN(length) {
		return false
	}
	for i := range v {
		v[i] /= length
	}
	return true
}
