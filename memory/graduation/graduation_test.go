package graduation_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/graduation"
	"mneme/memory/memorytest"
)

// ended is n episodes of an outcome.
func ended(n int, outcome memory.Outcome) []memory.EpisodeOutcome {
	episodes := make([]memory.EpisodeOutcome, n)
	for i := range episodes {
		episodes[i] = memory.EpisodeOutcome{Key: fmt.Sprintf("%s%d", outcome, i), Outcome: outcome}
	}
	return episodes
}

func TestQualityOfOneEpisode(t *testing.T) {
	t.Parallel()
	of := func(outcome memory.Outcome, sum float64, count int) []memory.EpisodeOutcome {
		return []memory.EpisodeOutcome{{Key: "e", Outcome: outcome, FeedbackSum: sum, FeedbackCount: count}}
	}
	shown := map[string]graduation.CanvasSuccess{"e": {Canvases: 4, Rewarded: 1}}
	for name, test := range map[string]struct {
		episodes []memory.EpisodeOutcome
		canvases map[string]graduation.CanvasSuccess
		want     float64
		sum      float64
	}{
		"all parts: 0.4 + 0.3·¼ + 0.2·¾ + 0.1":            {of(memory.OutcomeSuccess, 1, 2), shown, 0.725, 0.725},
		"no canvas: (0.4 + 0.2·¾ + 0.1)/0.7":              {of(memory.OutcomeSuccess, 1, 2), nil, 0.65 / 0.7, 0.65 / 0.7},
		"no feedback: (0.4 + 0.3·¼ + 0.1)/0.8":            {of(memory.OutcomeSuccess, 0, 0), shown, 0.575 / 0.8, 0.575 / 0.8},
		"neither: (0.4 + 0.1)/0.5":                        {of(memory.OutcomeSuccess, 0, 0), nil, 1, 1},
		"a failure, consistently: 0.1/0.5":                {of(memory.OutcomeFailure, 0, 0), nil, 0.2, 0.2},
		"unknown, disliked: 0·0.2, consistency undefined": {of(memory.OutcomeUnknown, -1, 1), nil, 0, 0},
		"unknown, liked":                                  {of(memory.OutcomeUnknown, 1, 1), nil, 1, 1},
		"unknown and nothing else":                        {of(memory.OutcomeUnknown, 0, 0), nil, 0, 0},
		"none":                                            {nil, nil, 0, 0},
	} {
		g := graduation.Of(test.episodes, test.canvases, graduation.DefaultWeights())
		assert.InDelta(t, test.want, g.Quality, 1e-9, name)
		assert.InDelta(t, test.sum, g.QualityWeighted, 1e-9, name)
	}
}

func TestPartsOfQuality(t *testing.T) {
	t.Parallel()
	episodes := append(ended(3, memory.OutcomeSuccess), ended(1, memory.OutcomeFailure)...)
	episodes = append(episodes, ended(1, memory.OutcomeUnknown)...)
	episodes[0].FeedbackSum, episodes[0].FeedbackCount = 1, 1
	episodes[4].FeedbackSum, episodes[4].FeedbackCount = -1, 2
	g := graduation.Of(episodes, map[string]graduation.CanvasSuccess{"SUCCESS0": {2, 1}, "FAILURE0": {1, 1}, "of another": {1, 0}}, graduation.DefaultWeights())
	assert.Equal(t, new(0.75), g.Completion)
	assert.Equal(t, new(0.75), g.CanvasSuccess)
	assert.Equal(t, new(0.625), g.FeedbackQuality)
	assert.InDelta(t, 1-2*0.4330127018922193, *g.Consistency, 1e-9)
	assert.Equal(t, 5, g.Episodes)
	none := graduation.Of(nil, nil, graduation.DefaultWeights())
	assert.Nil(t, none.Completion)
	assert.Nil(t, none.Consistency)
}

func TestLevels(t *testing.T) {
	t.Parallel()
	intervened := func(n, by int) []memory.EpisodeOutcome {
		episodes := ended(n, memory.OutcomeSuccess)
		for i := range by {
			episodes[i].Interventions = []memory.FeedbackSource{memory.SourceChat}
		}
		return episodes
	}
	next := func(l graduation.Level) *graduation.Level { return &l }
	for name, test := range map[string]struct {
		episodes []memory.EpisodeOutcome
		level    graduation.Level
		next     *graduation.Level
		gaps     []float64
	}{
		"nothing yet":                 {nil, graduation.LevelStudent, next(graduation.LevelIntern), []float64{10, 0, 7}},
		"nine":                        {intervened(9, 0), graduation.LevelStudent, next(graduation.LevelIntern), []float64{1, 0, 0}},
		"ten":                         {intervened(10, 0), graduation.LevelIntern, next(graduation.LevelSupervised), []float64{15, 0, 8}},
		"ten, half of them corrected": {intervened(10, 5), graduation.LevelIntern, next(graduation.LevelSupervised), []float64{15, 0.3, 8}},
		"ten, six corrected":          {intervened(10, 6), graduation.LevelStudent, next(graduation.LevelIntern), []float64{0, 0.1, 0}},
		"25, a fifth corrected":       {intervened(25, 5), graduation.LevelSupervised, next(graduation.LevelAutonomous), []float64{25, 0.2, 20}},
		"25, more corrected":          {intervened(25, 6), graduation.LevelIntern, next(graduation.LevelSupervised), []float64{0, 0.04, 0}},
		"50":                          {intervened(50, 0), graduation.LevelAutonomous, nil, []float64{0, 0, 0}},
		"50, one corrected":           {intervened(50, 1), graduation.LevelSupervised, next(graduation.LevelAutonomous), []float64{0, 0.02, 0}},
		"50 failures":                 {ended(50, memory.OutcomeFailure), graduation.LevelIntern, next(graduation.LevelSupervised), []float64{0, 0, 8}},
	} {
		g := graduation.Of(test.episodes, nil, graduation.DefaultWeights())
		assert.Equal(t, test.level, g.Level, name)
		assert.Equal(t, test.next, g.NextLevel, name)
		for i, c := range g.Criteria {
			assert.InDelta(t, test.gaps[i], c.Gap, 1e-9, name)
			assert.Equal(t, c.Gap == 0, c.Met, name)
		}
		assert.Equal(t, []string{"episodes", "interventionRate", "qualityWeightedEpisodes"},
			[]string{g.Criteria[0].Name, g.Criteria[1].Name, g.Criteria[2].Name})
	}
}

func TestInterventionsBySource(t *testing.T) {
	t.Parallel()
	episodes := ended(4, memory.OutcomeSuccess)
	episodes[1].Interventions = []memory.FeedbackSource{memory.SourceCanvas, memory.SourceChat}
	episodes[2].Interventions = []memory.FeedbackSource{memory.SourceChat}
	g := graduation.Of(episodes, nil, graduation.DefaultWeights())
	assert.Equal(t, 2, g.Interventions)
	assert.Equal(t, 0.5, g.InterventionRate)
	assert.Equal(t, []graduation.SourceCount{
		{Source: memory.SourceChat, Episodes: 2, Rate: 0.5}, {Source: memory.SourceCanvas, Episodes: 1, Rate: 0.25}, {Source: memory.SourceWorkflow},
	}, g.InterventionsBySource)
}

func TestCanvasSuccesses(t *testing.T) {
	t.Parallel()
	of := func(episode string, actions ...memory.CanvasAction) *memory.Canvas {
		c := memorytest.Canvas("charts", actions...)
		c.EpisodeKey = &episode
		return c
	}
	waiting := memorytest.Canvas("charts", memorytest.Action(memory.CanvasSubmit, 0))
	successes := graduation.CanvasSuccesses{}
	for _, c := range []*memory.Canvas{
		of("a", memorytest.Action(memory.CanvasPresent, 0), memorytest.Action(memory.CanvasSubmit, 1)),
		of("a", memorytest.Action(memory.CanvasPresent, 0)), // a reward of 0 is none
		of("b", memorytest.Action(memory.CanvasPresent, 0), memorytest.Action(memory.CanvasClose, 1)), waiting,
	} {
		successes.Add(c, memorytest.Rules)
	}
	assert.Equal(t, graduation.CanvasSuccesses{"a": {Canvases: 2, Rewarded: 1}, "b": {Canvases: 1}}, successes)
}

func TestQualityOfAnEpisodeIsThatWhichGraduates(t *testing.T) {
	t.Parallel()
	episodes := append(ended(3, memory.OutcomeSuccess), ended(2, memory.OutcomeFailure)...)
	episodes = append(episodes, ended(1, memory.OutcomeUnknown)...)
	episodes[0].FeedbackSum, episodes[0].FeedbackCount = 1, 2
	shown := graduation.CanvasSuccesses{"SUCCESS0": {Canvases: 4, Rewarded: 1}, "FAILURE1": {Canvases: 1, Rewarded: 1}}
	whole := graduation.Of(episodes, shown, graduation.DefaultWeights())
	sum := 0.0
	for _, e := range episodes {
		if quality := graduation.QualityOf(e, shown[e.Key], graduation.Consistency(3, 5)); quality.Value != nil {
			sum += *quality.Value
		} else {
			assert.Equal(t, memory.OutcomeUnknown, e.Outcome)
		}
	}
	assert.InDelta(t, whole.QualityWeighted, sum, 1e-9)
}

func TestWeightsOfOnesOwn(t *testing.T) {
	t.Parallel()
	shown := map[string]graduation.CanvasSuccess{"e": {Canvases: 4, Rewarded: 1}}
	episodes := []memory.EpisodeOutcome{{Key: "e", Outcome: memory.OutcomeSuccess, FeedbackSum: 1, FeedbackCount: 2}}
	for _, test := range []struct {
		weights graduation.Weights
		want    float64
	}{
		{graduation.Weights{Completion: 4, CanvasSuccess: 3, FeedbackQuality: 2, Consistency: 1}, 0.725}, // proportions alone matter
		{graduation.Weights{FeedbackQuality: 1}, 0.75},
		{graduation.Weights{CanvasSuccess: 1, FeedbackQuality: 1}, 0.5},
		{graduation.Weights{CanvasSuccess: 1000, Consistency: 1000}, 0.625},
	} {
		require.NoError(t, test.weights.Check())
		assert.InDelta(t, test.want, graduation.Of(episodes, shown, test.weights).Quality, 1e-9)
	}
	silent := graduation.Of(ended(3, memory.OutcomeSuccess), nil, graduation.Weights{FeedbackQuality: 1})
	assert.Zero(t, silent.QualityWeighted, "what counts is said of none")
	for _, wrong := range []graduation.Weights{
		{}, {Consistency: 1}, {Completion: -1, FeedbackQuality: 2}, {Completion: math.NaN()}, {Completion: math.Inf(1)}, {Completion: 1001},
	} {
		require.Error(t, wrong.Check())
	}
	require.NoError(t, graduation.DefaultWeights().Check())
}
