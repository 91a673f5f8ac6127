package ranking_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory/memorytest"
	"mneme/memory/ranking"
)

func TestWeightsCheck(t *testing.T) {
	t.Parallel()
	assert.NoError(t, ranking.DefaultWeights.Check())
	assert.NoError(t, ranking.Weights{HalfLifeDays: 0.001, Feedback: ranking.FeedbackOff}.Check(), "weights may be 0")

	for name, test := range map[string]struct {
		change func(w *ranking.Weights)
		field  string
	}{
		"negative semantic":    {func(w *ranking.Weights) { w.Semantic = -0.1 }, "ranking.semanticWeight"},
		"NaN semantic":         {func(w *ranking.Weights) { w.Semantic = math.NaN() }, "ranking.semanticWeight"},
		"infinite temporal":    {func(w *ranking.Weights) { w.Temporal = math.Inf(1) }, "ranking.temporalWeight"},
		"negative canvas":      {func(w *ranking.Weights) { w.CanvasBoost = -1 }, "ranking.canvasBoost"},
		"huge positive":        {func(w *ranking.Weights) { w.PositiveBoost = 1e308 }, "ranking.positiveBoost"},
		"negative penalty":     {func(w *ranking.Weights) { w.NegativePenalty = -0.3 }, "ranking.negativePenalty"},
		"no half-life":         {func(w *ranking.Weights) { w.HalfLifeDays = 0 }, "ranking.halfLifeDays"},
		"NaN half-life":        {func(w *ranking.Weights) { w.HalfLifeDays = math.NaN() }, "ranking.halfLifeDays"},
		"infinite half-life":   {func(w *ranking.Weights) { w.HalfLifeDays = math.Inf(1) }, "ranking.halfLifeDays"},
		"unknown mode":         {func(w *ranking.Weights) { w.Feedback = "LOUD" }, "ranking.feedback"},
		"the first one counts": {func(w *ranking.Weights) { *w = ranking.Weights{Temporal: -1} }, "ranking.temporalWeight"},
	} {
		t.Run(name, func(t *testing.T) {
			w := ranking.DefaultWeights
			test.change(&w)
			memorytest.RequireInvalid(t, test.field, w.Check())
		})
	}
}

func TestWithoutContextLeavesOnlySituationAndAge(t *testing.T) {
	t.Parallel()
	w := ranking.DefaultWeights.WithoutContext()
	require.NoError(t, w.Check())
	score := w.Score(ranking.Candidate{Match: 1, StartedAt: memorytest.Day(0), CanvasActionCount: 3, FeedbackSum: -2, FeedbackCount: 2}, memorytest.Day(0))
	assert.Equal(t, ranking.Score{Semantic: 1, Temporal: 1, Total: 1}, score)
	assert.Equal(t, 0.1, ranking.DefaultWeights.CanvasBoost, "the original is left alone")
}
