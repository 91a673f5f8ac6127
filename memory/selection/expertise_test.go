package selection_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/memorytest"
	"mneme/memory/selection"
)

// daily is n executions of a quality, one a day, the last the given days before Monday.
func daily(name string, n int, quality, lastDaysAgo float64) []memory.Execution {
	executions := make([]memory.Execution, n)
	for i := range executions {
		executions[i] = memorytest.Did(fmt.Sprintf("%s%03d", name, i), memorytest.Monday.Add(-memorytest.Days(lastDaysAgo+float64(i))), quality)
	}
	return executions
}

func TestExpertise(t *testing.T) {
	t.Parallel()
	at := func(daysAgo, quality float64) memory.Execution {
		return memorytest.Did(fmt.Sprint(daysAgo), memorytest.Monday.Add(-memorytest.Days(daysAgo)), quality)
	}
	week, older := 3/math.E, math.Exp(-8.0/7)
	for name, test := range map[string]struct {
		executions []memory.Execution
		want       float64
	}{
		"none":                    {nil, 0},
		"one":                     {[]memory.Execution{at(3, 0.7)}, 0.7},
		"one of 30 years ago":     {[]memory.Execution{at(11000, 0.7)}, 0.7},
		"now and a week ago":      {[]memory.Execution{at(0, 1), at(7, 0)}, 3 / (3 + week)},
		"7 and 8 days ago":        {[]memory.Execution{at(7, 1), at(8, 0)}, week / (week + older)},
		"in the future is now":    {[]memory.Execution{at(-2, 1), at(0, 0)}, 0.5},
		"what is far outside":     {append(daily("new", 100, 0.25, 0), daily("old", 20, 1, 100)...), 0.25},
		"equal qualities, unlike": {daily("x", 100, 0.9, 1), 0.9},
	} {
		assert.InDelta(t, test.want, selection.StandingOf(memorytest.ProfileOf(test.executions...), memorytest.Monday).Expertise, 1e-12, name)
	}
}

func TestConfidenceAndScore(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		executions int
		confidence float64
		score      float64
		cold       bool
	}{
		{0, 0, 0, true}, {1, 0.05, 0.04, true}, {10, 0.5, 0.4, true}, {19, 0.95, 0.76, true}, {20, 1, 0.8, false}, {120, 1, 0.8, false},
	} {
		p := memorytest.ProfileOf(daily("x", test.executions, 0.8, 0)...)
		assert.Equal(t, test.confidence, p.Confidence(), test.executions)
		assert.InDelta(t, test.score, selection.StandingOf(p, memorytest.Monday).Score, 1e-12, test.executions)
		assert.Equal(t, test.cold, p.ColdStart(), test.executions)
	}
}

func TestBadThisWeekLosesToBadLongAgo(t *testing.T) {
	t.Parallel()
	fallen := memorytest.ProfileOf(append(daily("good", 20, 0.9, 30), daily("bad", 7, 0.2, 0)...)...)
	risen := memorytest.ProfileOf(append(daily("bad", 20, 0.2, 30), daily("good", 7, 0.9, 0)...)...)
	assert.Less(t, selection.StandingOf(fallen, memorytest.Monday).Score, 0.25)
	assert.Greater(t, selection.StandingOf(risen, memorytest.Monday).Score, 0.85)
}

func TestTrend(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		executions []memory.Execution
		want       selection.Trend
	}{
		"none":                          {nil, selection.TrendFlat},
		"better":                        {slices.Concat(daily("new", 3, 0.9, 0), daily("old", 3, 0.5, 8)), selection.TrendUp},
		"worse":                         {slices.Concat(daily("new", 3, 0.5, 0), daily("old", 3, 0.9, 8)), selection.TrendDown},
		"by no more than 0.05":          {slices.Concat(daily("new", 3, 0.65, 0), daily("old", 3, 0.6, 8)), selection.TrendFlat},
		"by a little more than 0.05":    {slices.Concat(daily("new", 3, 0.651, 0), daily("old", 3, 0.6, 8)), selection.TrendUp},
		"worse by no more than 0.05":    {slices.Concat(daily("new", 3, 0.6, 0), daily("old", 3, 0.65, 8)), selection.TrendFlat},
		"too few this week":             {slices.Concat(daily("new", 2, 0.9, 0), daily("old", 3, 0.1, 8)), selection.TrendFlat},
		"too few before":                {slices.Concat(daily("new", 3, 0.9, 0), daily("old", 2, 0.1, 8)), selection.TrendFlat},
		"7 days ago is still this week": {slices.Concat(daily("new", 3, 0.9, 5), daily("old", 2, 0.1, 8)), selection.TrendFlat},
	} {
		assert.Equal(t, test.want, selection.StandingOf(memorytest.ProfileOf(test.executions...), memorytest.Monday).Trend, name)
	}
}

func TestEffectiveExecutions(t *testing.T) {
	t.Parallel()
	same := memorytest.ProfileOf(memorytest.Did("a", memorytest.Monday, 1), memorytest.Did("b", memorytest.Monday, 0), memorytest.Did("c", memorytest.Monday, 1))
	assert.InDelta(t, 3, selection.StandingOf(same, memorytest.Monday).Effective, 1e-12)
	apart := memorytest.ProfileOf(memorytest.Did("a", memorytest.Monday, 1), memorytest.Did("b", memorytest.Monday.Add(-memorytest.Days(70)), 0))
	assert.InDelta(t, 1, selection.StandingOf(apart, memorytest.Monday).Effective, 1e-4)
	assert.Equal(t, 1, selection.StandingOf(apart, memorytest.Monday).Recent)
}

func TestTaskTypeAlerts(t *testing.T) {
	t.Parallel()
	of := func(agent, taskType string, executions []memory.Execution) *memory.LearningProfile {
		p := memorytest.ProfileOf(executions...)
		p.AgentKey, p.TaskType = agent, taskType
		return p
	}
	profiles := []*memory.LearningProfile{
		of("ada", "good", daily("x", 20, 0.9, 0)), of("eve", "good", daily("x", 20, 0.1, 0)),
		of("ada", "bad", daily("x", 20, 0.4, 0)), of("eve", "bad", daily("x", 5, 0.9, 0)),
		of("ada", "young", daily("x", 5, 0.9, 0)), of("eve", "young", daily("x", 1, 0.9, 0)),
		of("ada", "on the line", daily("x", 10, 1, 0)),
	}
	alerts := selection.TaskTypeAlerts(profiles, 0.5, memorytest.Monday)
	for i := range alerts {
		alerts[i].BestScore = math.Round(alerts[i].BestScore*1e9) / 1e9
	}
	assert.Equal(t, []selection.TaskTypeAlert{
		{TaskType: "young", BestScore: 0.225, Threshold: 0.5, Agents: 2, ColdStart: true},
		{TaskType: "bad", BestScore: 0.4, Threshold: 0.5, Agents: 2},
	}, alerts)
	assert.Equal(t, []selection.TaskTypeAlert{}, selection.TaskTypeAlerts(nil, 0.5, time.Time{}))
}

// plainExpertise is the formula as it is written, over the latest 100.
func plainExpertise(executions []memory.Execution, now time.Time) float64 {
	sorted := slices.Clone(executions)
	slices.SortFunc(sorted, func(a, b memory.Execution) int { return memory.CompareExecutions(&b, &a) })
	weighted, weights := 0.0, 0.0
	for _, e := range sorted[:min(100, len(sorted))] {
		d := max(0, now.Sub(e.At).Hours()/24)
		weight := math.Exp(-d / 7)
		if d <= 7 {
			weight *= 3
		}
		weighted += e.Quality * weight
		weights += weight
	}
	if weights == 0 {
		return 0
	}
	return weighted / weights
}

func TestThePackedWindowSaysWhatThePlainFormulaSays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(random *rapid.T) {
		all := memorytest.DrawExecutions(random, 130)
		p := memorytest.ProfileOf(all...)
		now := memorytest.Monday.Add(time.Duration(rapid.Int64Range(0, int64(60*24*time.Hour/time.Millisecond)).Draw(random, "now")) * time.Millisecond)
		assert.InDelta(random, plainExpertise(all, now), selection.StandingOf(p, now).Expertise, 1e-9)
		assert.InDelta(random, plainExpertise(all, now)*min(1, float64(len(all))/20), selection.StandingOf(p, now).Score, 1e-9)
	})
}
