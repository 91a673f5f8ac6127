package matching_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory/matching"
)

type vector = []float32

func TestAroundWorked(t *testing.T) {
	t.Parallel()
	x, y := vector{1, 0}, vector{0, 1}
	for name, test := range map[string]struct {
		own           vector
		before, after []vector
		want          float64
	}{
		"by itself":                    {x, nil, nil, 1},
		"beside another":               {x, []vector{y}, nil, 1 / math.Sqrt(1.25)},
		"between two":                  {y, []vector{x}, []vector{x}, 1 / math.Sqrt(2)},
		"two before it":                {y, []vector{nil, x}, nil, 0.25 / math.Sqrt(1+0.0625)},
		"all":                          {y, []vector{x, x}, []vector{x, x}, 1.5 / math.Sqrt(1+2.25)},
		"what is further":              {y, []vector{nil, nil, x}, []vector{nil, nil, x}, 0},
		"none of its own":              {nil, []vector{x}, []vector{x}, 0},
		"a neighbour of another model": {x, []vector{{0, 1, 0}}, nil, 1},
		"of another model":             {vector{1, 0, 0}, nil, nil, 0},
		"the opposite":                 {vector{-1, 0}, nil, nil, -1},
		"nothing left":                 {x, []vector{{-1, 0}}, []vector{{-1, 0}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			assert.InDelta(t, test.want, matching.Around(x, test.own, test.before, test.after), 1e-7)
		})
	}
}

func TestGuessAround(t *testing.T) {
	t.Parallel()
	assert.InDelta(t, 0.7, matching.GuessAround([]float64{0.7}, 0), 1e-12, "by itself")
	// All five at 0.8: 0.8·2.5 / √(0.6·1.625 + 0.4·2.5²).
	assert.InDelta(t, 2/math.Sqrt(3.475), matching.GuessAround([]float64{0, 0.8, 0.8, 0.8, 0.8, 0.8, 0}, 3), 1e-12)
	// The first of three: (0.5 + 0.5·0.6 + 0.25·0.2) / √(0.6·1.3125 + 0.4·1.75²).
	assert.InDelta(t, 0.85/math.Sqrt(2.0125), matching.GuessAround([]float64{0.5, 0.6, 0.2}, 0), 1e-12)
	assert.Zero(t, matching.GuessAround(nil, 0))
}

func TestBestWorked(t *testing.T) {
	t.Parallel()
	x := vector{1, 0}
	assert.Zero(t, matching.Best(x, nil))
	assert.InDelta(t, 0.8, matching.Best(x, []vector{{0, 1}, {0.8, 0.6}, {-1, 0}}), 1e-7)
	assert.InDelta(t, -1, matching.Best(x, []vector{{-1, 0}}), 1e-7, "the best of one")
	assert.InDelta(t, -1, matching.Best(x, []vector{{1, 0, 0}, {-1, 0}}), 1e-7, "of those that can be compared")
	assert.Zero(t, matching.Best(x, append(slices.Repeat([]vector{{0, 1}}, matching.MostParts), x)), "the first of many")
}

func TestCosinesAreInRange(t *testing.T) {
	t.Parallel()
	number := rapid.Float32Range(-1e18, 1e18)
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) vector { return rapid.SliceOfN(number, 0, 4).Draw(t, name) }
		query, own := draw("query"), draw("own")
		before, after := []vector{draw("before")}, []vector{draw("after"), draw("after that")}
		around := matching.Around(query, own, before, after)
		for _, c := range []float64{matching.Cosine(query, own), around, matching.Best(query, []vector{own, before[0]})} {
			assert.True(t, c >= -1 && c <= 1, "%v", c)
		}
		assert.InDelta(t, around, matching.Around(query, own, append(before, nil), after), 0)
		if len(own) > 0 {
			assert.InDelta(t, matching.Cosine(query, own), matching.Around(query, own, nil, nil), 1e-12)
		}
	})
}
