package memory_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
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
	of := func(outcome memory.Outcome, sum float64, count int) []memory.EpisodeOutcome {
		return []memory.EpisodeOutcome{{Key: "e", Outcome: outcome, FeedbackSum: sum, FeedbackCount: count}}
	}
	shown := map[string]memory.CanvasSuccess{"e": {Canvases: 4, Rewarded: 1}}
	for name, test := range map[string]struct {
		episodes []memory.EpisodeOutcome
		canvases map[string]memory.CanvasSuccess
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
		g := memory.Graduate(test.episodes, test.canvases)
		assert.InDelta(t, test.want, g.Quality, 1e-9, name)
		assert.InDelta(t, test.sum, g.QualityWeighted, 1e-9, name)
	}
}

func TestPartsOfQuality(t *testing.T) {
	episodes := append(ended(3, memory.OutcomeSuccess), ended(1, memory.OutcomeFailure)...)
	episodes = append(episodes, ended(1, memory.OutcomeUnknown)...)
	episodes[0].FeedbackSum, episodes[0].FeedbackCount = 1, 1
	episodes[4].FeedbackSum, episodes[4].FeedbackCount = -1, 2
	g := memory.Graduate(episodes, map[string]memory.CanvasSuccess{"SUCCESS0": {2, 1}, "FAILURE0": {1, 1}, "of another": {1, 0}})
	assert.Equal(t, ptr(0.75), g.Completion)
	assert.Equal(t, ptr(0.75), g.CanvasSuccess)
	assert.Equal(t, ptr(0.625), g.FeedbackQuality)
	assert.InDelta(t, 1-2*0.4330127018922193, *g.Consistency, 1e-9)
	assert.Equal(t, 5, g.Episodes)
	none := memory.Graduate(nil, nil)
	assert.Nil(t, none.Completion)
	assert.Nil(t, none.Consistency)
}

func TestLevels(t *testing.T) {
	intervened := func(n, by int) []memory.EpisodeOutcome {
		episodes := ended(n, memory.OutcomeSuccess)
		for i := range by {
			episodes[i].Interventions = []memory.FeedbackSource{memory.SourceChat}
		}
		return episodes
	}
	next := func(l memory.GraduationLevel) *memory.GraduationLevel { return &l }
	for name, test := range map[string]struct {
		episodes []memory.EpisodeOutcome
		level    memory.GraduationLevel
		next     *memory.GraduationLevel
		gaps     []float64
	}{
		"nothing yet":                 {nil, memory.LevelStudent, next(memory.LevelIntern), []float64{10, 0, 7}},
		"nine":                        {intervened(9, 0), memory.LevelStudent, next(memory.LevelIntern), []float64{1, 0, 0}},
		"ten":                         {intervened(10, 0), memory.LevelIntern, next(memory.LevelSupervised), []float64{15, 0, 8}},
		"ten, half of them corrected": {intervened(10, 5), memory.LevelIntern, next(memory.LevelSupervised), []float64{15, 0.3, 8}},
		"ten, six corrected":          {intervened(10, 6), memory.LevelStudent, next(memory.LevelIntern), []float64{0, 0.1, 0}},
		"25, a fifth corrected":       {intervened(25, 5), memory.LevelSupervised, next(memory.LevelAutonomous), []float64{25, 0.2, 20}},
		"25, more corrected":          {intervened(25, 6), memory.LevelIntern, next(memory.LevelSupervised), []float64{0, 0.04, 0}},
		"50":                          {intervened(50, 0), memory.LevelAutonomous, nil, []float64{0, 0, 0}},
		"50, one corrected":           {intervened(50, 1), memory.LevelSupervised, next(memory.LevelAutonomous), []float64{0, 0.02, 0}},
		"50 failures":                 {ended(50, memory.OutcomeFailure), memory.LevelIntern, next(memory.LevelSupervised), []float64{0, 0, 8}},
	} {
		g := memory.Graduate(test.episodes, nil)
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
	episodes := ended(4, memory.OutcomeSuccess)
	episodes[1].Interventions = []memory.FeedbackSource{memory.SourceCanvas, memory.SourceChat}
	episodes[2].Interventions = []memory.FeedbackSource{memory.SourceChat}
	g := memory.Graduate(episodes, nil)
	assert.Equal(t, 2, g.Interventions)
	assert.Equal(t, 0.5, g.InterventionRate)
	assert.Equal(t, []memory.SourceCount{
		{Source: memory.SourceChat, Episodes: 2, Rate: 0.5}, {Source: memory.SourceCanvas, Episodes: 1, Rate: 0.25}, {Source: memory.SourceWorkflow},
	}, g.InterventionsBySource)
}

func TestCanvasSuccesses(t *testing.T) {
	of := func(episode string, actions ...memory.CanvasAction) *memory.Canvas {
		c := canvas("charts", actions...)
		c.EpisodeKey = &episode
		return c
	}
	waiting := canvas("charts", action(memory.CanvasSubmit, 0))
	successes := memory.CanvasSuccesses{}
	for _, c := range []*memory.Canvas{
		of("a", action(memory.CanvasPresent, 0), action(memory.CanvasSubmit, 1)),
		of("a", action(memory.CanvasPresent, 0)), // a reward of 0 is none
		of("b", action(memory.CanvasPresent, 0), action(memory.CanvasClose, 1)), waiting,
	} {
		successes.Add(c)
	}
	assert.Equal(t, memory.CanvasSuccesses{"a": {Canvases: 2, Rewarded: 1}, "b": {Canvases: 1}}, successes)
}

func TestTrends(t *testing.T) {
	noon := monday.Add(12 * time.Hour)
	at := func(n float64) time.Time { return noon.Add(days(n)) }
	trends, err := memory.NewTrends(memory.BucketDay, ptr(at(-3)), noon)
	assert.NoError(t, err)
	for _, e := range []memory.EpisodeOutcome{
		{StartedAt: at(-3.1), Outcome: memory.OutcomeSuccess}, // before the start, within its bucket
		{StartedAt: at(-3), Outcome: memory.OutcomeSuccess, FeedbackSum: 1, FeedbackCount: 1},
		{StartedAt: at(-2.6), Outcome: memory.OutcomeFailure, FeedbackSum: -0.5, FeedbackCount: 1},
		{StartedAt: at(-3), Outcome: memory.OutcomeUnknown},
		{StartedAt: at(-1), Outcome: memory.OutcomeUnknown},
		{StartedAt: at(0.5), Outcome: memory.OutcomeSuccess}, // after today
	} {
		trends.AddEpisode(e)
	}
	trends.AddVerdict(at(-1), memory.VerdictApprove, ptr(8.0))
	trends.AddVerdict(at(-1), memory.VerdictSoftFail, ptr(6.0))
	trends.AddVerdict(at(-1), memory.VerdictHardFail, nil)
	trends.AddVerdict(at(-1), memory.VerdictValidationFail, ptr(0.0))
	trends.AddVerdict(at(0.5), memory.VerdictApprove, ptr(8.0))
	points := trends.Points()
	assert.Equal(t, []memory.TrendPoint{
		{At: monday.Add(-days(3)), Episodes: 3, SuccessRate: ptr(0.5), FeedbackScore: ptr(0.25)},
		{At: monday.Add(-days(2))},
		{At: monday.Add(-days(1)), Episodes: 1, ApprovalRate: ptr(0.333333333), JudgeScore: ptr(7.0)},
		{At: monday},
	}, points)
}

func TestTrendBuckets(t *testing.T) {
	at := monday.Add(days(2) + 13*time.Hour + 59*time.Minute)
	assert.Equal(t, monday.Add(days(2)+13*time.Hour), memory.BucketHour.Start(at))
	assert.Equal(t, monday.Add(days(2)), memory.BucketDay.Start(at))
	assert.Equal(t, monday, memory.BucketWeek.Start(at))
	assert.Equal(t, monday, memory.BucketWeek.Start(monday))
	assert.Equal(t, monday.Add(-days(7)), memory.BucketWeek.Start(monday.Add(-1)))
}

func TestTrendsFromTheFirst(t *testing.T) {
	trends, err := memory.NewTrends(memory.BucketWeek, nil, monday.Add(days(8)))
	assert.NoError(t, err)
	points := trends.Points()
	assert.Equal(t, []memory.TrendPoint{}, points)
	trends.AddVerdict(monday, memory.VerdictApprove, nil)
	points = trends.Points()
	assert.Equal(t, []memory.TrendPoint{{At: monday, ApprovalRate: ptr(1.0)}, {At: monday.Add(days(7))}}, points)
}

func TestTrendLimits(t *testing.T) {
	for _, test := range []struct {
		since float64
		ok    bool
	}{{-999, true}, {-1000, false}, {1, true}} {
		_, err := memory.NewTrends(memory.BucketDay, ptr(monday.Add(days(test.since))), monday)
		assert.Equal(t, test.ok, err == nil, test.since)
	}
	_, err := memory.NewTrends("MONTH", nil, monday)
	requireInvalid(t, "bucket", err)
	// Without a start, one record of long ago is no reason to show nothing.
	trends, err := memory.NewTrends(memory.BucketHour, nil, monday)
	assert.NoError(t, err)
	assert.Equal(t, monday.Add(-999*time.Hour), trends.Since())
	for _, back := range []int{1000, 999, 1} {
		trends.AddEpisode(memory.EpisodeOutcome{StartedAt: monday.Add(-time.Duration(back) * time.Hour)})
	}
	points := trends.Points()
	assert.Len(t, points, 1000)
	assert.Equal(t, memory.TrendPoint{At: monday.Add(-999 * time.Hour), Episodes: 1}, points[0])
}
