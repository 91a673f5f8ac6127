package meaning

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func randomCode(random *rand.Rand) Code {
	var v Vector
	for j := range v {
		v[j] = float32(random.NormFloat64())
	}
	return v.Code()
}

func TestSketchOfACode(t *testing.T) {
	t.Parallel()
	// Two of the size 100 and two of 50, the rest 1: the root of the mean square is 14, so that four are large.
	c := Code{100, -100, 50, -50}
	for j := 4; j < Dimensions; j++ {
		c[j] = int8(1 - j%2*2)
	}
	s := c.Sketch()
	assert.Equal(t, c.Signature(), s.Signs)
	assert.Equal(t, Signature{15, 0}, s.Sizes)
	length, own := math.Sqrt(2*100*100+2*50*50+124), math.Sqrt(4*10*10+124*3*3)
	assert.Equal(t, uint8(math.Round(255*(10*300+3*124)/(length*own))), s.Fit)

	var none Code
	assert.Equal(t, Sketch{}, none.Sketch())
	for _, g := range []*Guess{c.Guess(), none.Guess()} {
		for _, s := range []Sketch{none.Sketch(), c.Sketch()} {
			cosine, deviation := g.Cosine(s)
			assert.False(t, math.IsNaN(cosine) || math.IsNaN(deviation))
		}
	}
	cosine, deviation := c.Guess().Cosine(s)
	assert.InDelta(t, 1, cosine, 0.01)
	assert.InDelta(t, 0, deviation, 0.02)
}

// A guess is what comparing with the four numbers gives, and errs as it says.
func TestGuessesErrAsTheySay(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 9))
	var fits, errors, spread float64
	const pairs = 3000
	for i := range pairs {
		query, other := randomCode(random), randomCode(random)
		for j := range other { // from far to near
			other[j] = int8((int(other[j])*(pairs-i) + int(query[j])*i) / pairs)
		}
		s := other.Sketch()
		var product, squares float64
		for j := range Dimensions {
			number := 3.0
			if s.Sizes[j/64]>>(j%64)&1 == 1 {
				number = 10
			}
			if s.Signs[j/64]>>(j%64)&1 == 0 {
				number = -number
			}
			product, squares = product+number*float64(query[j]), squares+number*number
		}
		cosine, deviation := query.Guess().Cosine(s)
		want := product / (query.Length() * math.Sqrt(squares)) / (float64(s.Fit) / 255)
		require.InDelta(t, max(-1, min(1, want)), cosine, 1e-5)
		fits += float64(s.Fit)
		errors += math.Pow(cosine-query.Cosine(&other), 2)
		spread += deviation * deviation
	}
	assert.InDelta(t, 240, fits/pairs, 2)
	assert.InDelta(t, 1, math.Sqrt(errors/spread), 0.1, "of what was guessed wrong and what was said")
	assert.Less(t, math.Sqrt(errors/pairs), 0.033)
}

func BenchmarkSketch(b *testing.B) {
	c := randomCode(rand.New(rand.NewPCG(8, 9)))
	for b.Loop() {
		c.Sketch()
	}
}

func BenchmarkGuess(b *testing.B) {
	random := rand.New(rand.NewPCG(8, 9))
	query, other := randomCode(random), randomCode(random)
	guess, s := query.Guess(), other.Sketch()
	for b.Loop() {
		guess.Cosine(s)
	}
}
