package ranking_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory/memorytest"
	"mneme/memory/ranking"
)

func TestSemanticHasALeast(t *testing.T) {
	t.Parallel()
	for match, want := range map[float64]float64{0.8: 0.8, 0.0049: 0, 0.005: 0.005, 1.0000001: 1, -0.9: 0} {
		assert.InDelta(t, want, ranking.Candidate{Match: match}.Semantic(), 1e-12)
	}
}

func TestTemporalHalvesEveryHalfLife(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ age, want float64 }{
		"now":              {0, 1},
		"one half-life":    {30, 0.5},
		"two":              {60, 0.25},
		"half of one":      {15, 0.70710678},
		"three days":       {3, 0.93303299},
		"in the future":    {-10, 1},
		"centuries before": {80_000, 0},
	} {
		t.Run(name, func(t *testing.T) {
			score := ranking.DefaultWeights.Score(ranking.Candidate{StartedAt: memorytest.Day(-test.age)}, memorytest.Day(0))
			assert.InDelta(t, test.want, score.Temporal, 1e-8)
			assert.InDelta(t, 0.3*test.want, score.Total, 1e-8)
		})
	}
}

func TestFeedbackBoost(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		mode  ranking.FeedbackMode
		sum   float64
		count int
		want  float64
	}{
		"fixed, none":             {ranking.FeedbackFixed, 0, 0, 0},
		"fixed, positive":         {ranking.FeedbackFixed, 0.5, 3, 0.2},
		"fixed, negative":         {ranking.FeedbackFixed, -0.5, 3, -0.3},
		"fixed, balanced":         {ranking.FeedbackFixed, 0, 2, 0},
		"smoothed, one like":      {ranking.FeedbackSmoothed, 1, 1, 0.2 / 6},
		"smoothed, five likes":    {ranking.FeedbackSmoothed, 5, 5, 0.1},
		"smoothed, five dislikes": {ranking.FeedbackSmoothed, -5, 5, -0.15},
		"smoothed, none":          {ranking.FeedbackSmoothed, 0, 0, 0},
		"off":                     {ranking.FeedbackOff, 5, 5, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := ranking.DefaultWeights
			w.Feedback = test.mode
			score := w.Score(ranking.Candidate{StartedAt: memorytest.Day(0), FeedbackSum: test.sum, FeedbackCount: test.count}, memorytest.Day(0))
			assert.InDelta(t, test.want, score.Feedback, 1e-12)
			assert.InDelta(t, 0.3+test.want, score.Total, 1e-12)
		})
	}
}

func TestTotalIsNotClamped(t *testing.T) {
	t.Parallel()
	best := ranking.Candidate{StartedAt: memorytest.Day(0), Match: 1, CanvasActionCount: 1, FeedbackSum: 1, FeedbackCount: 1}
	assert.InDelta(t, 1.3, ranking.DefaultWeights.Score(best, memorytest.Day(0)).Total, 1e-12)
	worst := ranking.Candidate{StartedAt: memorytest.Day(-10_000), FeedbackSum: -1, FeedbackCount: 1}
	assert.InDelta(t, -0.3, ranking.DefaultWeights.Score(worst, memorytest.Day(0)).Total, 1e-12)
}

func TestScoreRisesWithEachPart(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, c := genWeights().Draw(t, "weights"), genCandidate("a").Draw(t, "candidate")
		better := c
		better.Match = rapid.Float64Range(c.Match, 1).Draw(t, "match")
		better.CanvasActionCount += rapid.IntRange(0, 3).Draw(t, "actions")
		if got, least := w.Score(better, memorytest.Day(0)).Total, w.Score(c, memorytest.Day(0)).Total; got < least {
			t.Fatalf("%+v scores %v, less than %v of %+v", better, got, least, c)
		}
	})
}
