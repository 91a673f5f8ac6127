package memory_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
)

func TestWeightsCheck(t *testing.T) {
	assert.NoError(t, memory.DefaultWeights.Check())
	assert.NoError(t, memory.Weights{HalfLifeDays: 0.001, Feedback: memory.FeedbackOff}.Check(), "weights may be 0")

	for name, test := range map[string]struct {
		change func(w *memory.Weights)
		field  string
	}{
		"negative semantic":    {func(w *memory.Weights) { w.Semantic = -0.1 }, "ranking.semanticWeight"},
		"NaN semantic":         {func(w *memory.Weights) { w.Semantic = math.NaN() }, "ranking.semanticWeight"},
		"infinite temporal":    {func(w *memory.Weights) { w.Temporal = math.Inf(1) }, "ranking.temporalWeight"},
		"negative canvas":      {func(w *memory.Weights) { w.CanvasBoost = -1 }, "ranking.canvasBoost"},
		"huge positive":        {func(w *memory.Weights) { w.PositiveBoost = 1e308 }, "ranking.positiveBoost"},
		"negative penalty":     {func(w *memory.Weights) { w.NegativePenalty = -0.3 }, "ranking.negativePenalty"},
		"no half-life":         {func(w *memory.Weights) { w.HalfLifeDays = 0 }, "ranking.halfLifeDays"},
		"NaN half-life":        {func(w *memory.Weights) { w.HalfLifeDays = math.NaN() }, "ranking.halfLifeDays"},
		"infinite half-life":   {func(w *memory.Weights) { w.HalfLifeDays = math.Inf(1) }, "ranking.halfLifeDays"},
		"unknown mode":         {func(w *memory.Weights) { w.Feedback = "LOUD" }, "ranking.feedback"},
		"the first one counts": {func(w *memory.Weights) { *w = memory.Weights{Temporal: -1} }, "ranking.temporalWeight"},
	} {
		t.Run(name, func(t *testing.T) {
			w := memory.DefaultWeights
			test.change(&w)
			requireInvalid(t, test.field, w.Check())
		})
	}
}

func TestWithoutContextLeavesOnlySituationAndAge(t *testing.T) {
	w := memory.DefaultWeights.WithoutContext()
	require.NoError(t, w.Check())
	score := w.Score(memory.Candidate{Lexical: 1, StartedAt: day(0), CanvasActionCount: 3, FeedbackSum: -2, FeedbackCount: 2}, day(0))
	assert.Equal(t, memory.Score{Semantic: 1, Temporal: 1, Total: 1}, score)
	assert.Equal(t, 0.1, memory.DefaultWeights.CanvasBoost, "the original is left alone")
}
