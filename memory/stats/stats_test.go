package stats_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory/stats"
)

func TestMeansOfNothingAreNil(t *testing.T) {
	t.Parallel()
	var plain stats.PlainMean
	plain.Add(nil)
	assert.Nil(t, plain.Mean())
	assert.Nil(t, stats.WeightedMean{}.Mean())
	assert.Nil(t, stats.Mean(3, 0))
}

// Whatever the weights are, equal values have that value as their mean, so that equal means tie.
func TestMeansHaveNoLastBits(t *testing.T) {
	t.Parallel()
	var plain stats.PlainMean
	var weighted stats.WeightedMean
	for _, weight := range []float64{0.1, 1.0 / 3, 7, 1e-9} {
		plain.Add(new(0.1))
		weighted.Add(0.1, weight)
	}
	assert.Equal(t, new(0.1), plain.Mean())
	assert.Equal(t, new(0.1), weighted.Mean())
	assert.Equal(t, 0.3, stats.Rounded(0.1+0.2))
	assert.Equal(t, new(1.5), stats.Mean(3, 2), "as it comes")
}

func TestWeightsCount(t *testing.T) {
	t.Parallel()
	var mean stats.WeightedMean
	mean.Add(1, 3)
	mean.Add(0, 1)
	assert.Equal(t, new(0.75), mean.Mean())
}

func TestUnit(t *testing.T) {
	t.Parallel()
	for x, want := range map[float64]float64{-0.5: 0, 0: 0, 0.25: 0.25, 1: 1, 1.5: 1} {
		assert.Equal(t, want, stats.Unit(x), x)
	}
}
