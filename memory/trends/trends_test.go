package trends_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/memorytest"
	"mneme/memory/trends"
)

func TestTrends(t *testing.T) {
	t.Parallel()
	noon := memorytest.Monday.Add(12 * time.Hour)
	at := func(n float64) time.Time { return noon.Add(memorytest.Days(n)) }
	chart, err := trends.NewChart(trends.Day, new(at(-3)), noon)
	assert.NoError(t, err)
	day := func(n float64) time.Time { return memorytest.Monday.Add(memorytest.Days(n)) }
	chart.AddEpisodes([]*memory.EpisodeCount{
		{At: day(-4), Outcome: memory.OutcomeSuccess, Episodes: 5}, // before the first bucket
		{At: day(-3), Outcome: memory.OutcomeSuccess, Episodes: 1, Cost: 0.5, FeedbackSum: 1, FeedbackCount: 1},
		{At: day(-3), Outcome: memory.OutcomeFailure, Episodes: 1, Cost: 2, FeedbackSum: -0.5, FeedbackCount: 1},
		{At: day(-3), Outcome: memory.OutcomeUnknown, Episodes: 1},
		{At: day(-1), Outcome: memory.OutcomeUnknown, Episodes: 1},
		{At: day(1), Outcome: memory.OutcomeSuccess, Episodes: 1}, // after today
	})
	for _, j := range []memory.Judgement{
		{At: at(-1), Status: memory.VerdictApprove, Score: new(8.0), Iteration: 2},
		{At: at(-1), Status: memory.VerdictSoftFail, Score: new(6.0)},
		{At: at(-1), Status: memory.VerdictHardFail, Iteration: 5},
		{At: at(-1), Status: memory.VerdictValidationFail, Score: new(0.0)},
		{At: at(0.5), Status: memory.VerdictApprove, Score: new(8.0)},
	} {
		chart.AddVerdict(&j)
	}
	points := chart.Points()
	assert.Equal(t, []trends.Point{
		{At: memorytest.Monday.Add(-memorytest.Days(3)), Episodes: 3, Succeeded: 1, Failed: 1, Cost: 2.5, SuccessRate: new(0.5), FeedbackScore: new(0.25)},
		{At: memorytest.Monday.Add(-memorytest.Days(2))},
		{At: memorytest.Monday.Add(-memorytest.Days(1)), Episodes: 1, ApprovalRate: new(0.333333333), JudgeScore: new(7.0), Iterations: new(3.0)},
		{At: memorytest.Monday},
	}, points)
}

func TestTrendBuckets(t *testing.T) {
	t.Parallel()
	at := memorytest.Monday.Add(memorytest.Days(2) + 13*time.Hour + 59*time.Minute)
	assert.Equal(t, memorytest.Monday.Add(memorytest.Days(2)+13*time.Hour), trends.Hour.Start(at))
	assert.Equal(t, memorytest.Monday.Add(memorytest.Days(2)), trends.Day.Start(at))
	assert.Equal(t, memorytest.Monday, trends.Week.Start(at))
	assert.Equal(t, memorytest.Monday, trends.Week.Start(memorytest.Monday))
	assert.Equal(t, memorytest.Monday.Add(-memorytest.Days(7)), trends.Week.Start(memorytest.Monday.Add(-1)))
}

func TestTrendsFromTheFirst(t *testing.T) {
	t.Parallel()
	chart, err := trends.NewChart(trends.Week, nil, memorytest.Monday.Add(memorytest.Days(8)))
	assert.NoError(t, err)
	points := chart.Points()
	assert.Equal(t, []trends.Point{}, points)
	chart.AddVerdict(&memory.Judgement{At: memorytest.Monday, Status: memory.VerdictApprove})
	points = chart.Points()
	assert.Equal(t, []trends.Point{{At: memorytest.Monday, ApprovalRate: new(1.0), Iterations: new(1.0)}, {At: memorytest.Monday.Add(memorytest.Days(7))}}, points)
}

func TestTrendLimits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		since float64
		ok    bool
	}{{-999, true}, {-1000, false}, {1, true}} {
		_, err := trends.NewChart(trends.Day, new(memorytest.Monday.Add(memorytest.Days(test.since))), memorytest.Monday)
		assert.Equal(t, test.ok, err == nil, test.since)
	}
	_, err := trends.NewChart("MONTH", nil, memorytest.Monday)
	memorytest.RequireInvalid(t, "bucket", err)
	// Without a start, one record of long ago is no reason to show nothing.
	chart, err := trends.NewChart(trends.Hour, nil, memorytest.Monday)
	assert.NoError(t, err)
	assert.Equal(t, memorytest.Monday.Add(-999*time.Hour), chart.Since())
	for _, back := range []int{1000, 999, 1} {
		chart.AddEpisodes([]*memory.EpisodeCount{{At: memorytest.Monday.Add(-time.Duration(back) * time.Hour), Episodes: 1}})
	}
	points := chart.Points()
	assert.Len(t, points, 1000)
	assert.Equal(t, trends.Point{At: memorytest.Monday.Add(-999 * time.Hour), Episodes: 1}, points[0])
}
