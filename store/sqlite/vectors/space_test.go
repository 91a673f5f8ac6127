package vectors

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func product(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// unitVectors are vectors of length 1 whose numbers have deviations around what all have in common.
func unitVectors(random *rand.Rand, count, length int, common, decay float64) [][]float64 {
	vectors := make([][]float64, count)
	for n := range vectors {
		v := make([]float64, length)
		for i := range v {
			v[i] = common*math.Sin(float64(i)) + random.NormFloat64()*math.Pow(decay, float64(i))
		}
		normalize(v)
		vectors[n] = v
	}
	return vectors
}

// Guesses are right on average, and off by what the signs leave open (Gao and Long 2024): about √(π/2 − 1) of the root of a vector's length, where numbers
// do not depend on one another.
func TestGuesses(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]struct{ common, decay, off float64 }{
		"numbers of any direction":     {0, 1, 0.8},
		"much in common":               {3, 1, 0.8},
		"a few numbers that say most":  {0, 0.99, 1.4},
		"both, as models of text have": {1, 0.99, 1.4},
	} {
		t.Run(name, func(t *testing.T) {
			const length = 384
			some := unitVectors(rand.New(rand.NewPCG(1, 2)), 600, length, kind.common, kind.decay)
			s := newSpace(some[:300])
			asked, signs := s.ask(some[599]), make([]uint64, s.words())
			square, sum, spread := 0.0, 0.0, 0.0
			for _, v := range some[300:599] {
				wrong := float64(asked.cosine(signs, s.tell(v, signs))) - product(some[599], v)
				square, sum = square+wrong*wrong, sum+wrong
				d := make([]float64, length)
				for i := range d {
					d[i] = v[i] - s.centre[i]
				}
				spread += product(d, d)
			}
			count := 299.0
			most := kind.off / math.Sqrt(length) * spread / count // of differences that are shorter, by less
			assert.Less(t, math.Sqrt(square/count), most)
			assert.InDelta(t, 0, sum/count, most/4)
		})
	}
}

// Whatever the numbers, a guess is a number, and that of a vector with itself no less than with its opposite.
func TestGuessesOfAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.IntRange(1, 200).Draw(t, "length")
		numbers := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), length, length)
		v, w := numbers.Draw(t, "v"), numbers.Draw(t, "w")
		if !normalize(v) || !normalize(w) {
			t.Skip("no direction")
		}
		s := newSpace([][]float64{w, v})
		signs := make([]uint64, s.words())
		told := s.tell(v, signs)
		opposite := make([]float64, length)
		for i := range v {
			opposite[i] = -v[i]
		}
		own, other := s.ask(v).cosine(signs, told), s.ask(opposite).cosine(signs, told)
		if math.IsNaN(float64(own)) || math.IsInf(float64(own), 0) || own < other-1e-5 {
			t.Fatalf("%g with itself, %g with its opposite", own, other)
		}
	})
}

func TestDecode(t *testing.T) {
	t.Parallel()
	into := make([]float64, 2)
	encode := func(numbers ...float32) (encoded []byte) {
		for _, x := range numbers {
			encoded = binary.LittleEndian.AppendUint32(encoded, math.Float32bits(x))
		}
		return encoded
	}
	require.True(t, decode(encode(3, -4), into))
	assert.InDeltaSlice(t, []float64{0.6, -0.8}, into, 1e-9)
	require.True(t, decode(encode(1e-30, 1e30), into), "and nothing overflows")
	for name, encoded := range map[string][]byte{
		"nothing": nil, "too short": encode(1), "too long": encode(1, 2, 3), "cut": encode(1, 2)[:7],
		"no direction": encode(0, 0), "no number": encode(float32(math.NaN()), 1), "endless": encode(float32(math.Inf(1)), 1),
	} {
		assert.False(t, decode(encoded, into), name)
	}
}
