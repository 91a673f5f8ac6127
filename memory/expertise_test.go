package memory_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
)

func TestExecutionWeight(t *testing.T) {
	for days, want := range map[float64]float64{
		0: 3, -1: 3, 3.5: 3 * math.Exp(-0.5), 7: 3 / math.E, 7.001: math.Exp(-7.001 / 7), 8: math.Exp(-8.0 / 7), 70: math.Exp(-10),
	} {
		assert.InDelta(t, want, memory.ExecutionWeight(days), 1e-15, days)
	}
}

// daily is n executions of a quality, one a day, the last the given days before Monday.
func daily(name string, n int, quality, lastDaysAgo float64) []memory.Execution {
	executions := make([]memory.Execution, n)
	for i := range executions {
		executions[i] = did(fmt.Sprintf("%s%03d", name, i), monday.Add(-days(lastDaysAgo+float64(i))), quality)
	}
	return executions
}

func TestExpertise(t *testing.T) {
	at := func(daysAgo, quality float64) memory.Execution {
		return did(fmt.Sprint(daysAgo), monday.Add(-days(daysAgo)), quality)
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
		assert.InDelta(t, test.want, profileOf(test.executions...).Standing(monday).Expertise, 1e-12, name)
	}
}

func TestConfidenceAndScore(t *testing.T) {
	for _, test := range []struct {
		executions int
		confidence float64
		score      float64
		cold       bool
	}{
		{0, 0, 0, true}, {1, 0.05, 0.04, true}, {10, 0.5, 0.4, true}, {19, 0.95, 0.76, true}, {20, 1, 0.8, false}, {120, 1, 0.8, false},
	} {
		p := profileOf(daily("x", test.executions, 0.8, 0)...)
		assert.Equal(t, test.confidence, p.Confidence(), test.executions)
		assert.InDelta(t, test.score, p.Score(monday), 1e-12, test.executions)
		assert.Equal(t, test.cold, p.ColdStart(), test.executions)
	}
}

func TestBadThisWeekLosesToBadLongAgo(t *testing.T) {
	fallen := profileOf(append(daily("good", 20, 0.9, 30), daily("bad", 7, 0.2, 0)...)...)
	risen := profileOf(append(daily("bad", 20, 0.2, 30), daily("good", 7, 0.9, 0)...)...)
	assert.Less(t, fallen.Score(monday), 0.25)
	assert.Greater(t, risen.Score(monday), 0.85)
}

func TestTrend(t *testing.T) {
	for name, test := range map[string]struct {
		executions []memory.Execution
		want       memory.Trend
	}{
		"none":                          {nil, memory.TrendFlat},
		"better":                        {slices.Concat(daily("new", 3, 0.9, 0), daily("old", 3, 0.5, 8)), memory.TrendUp},
		"worse":                         {slices.Concat(daily("new", 3, 0.5, 0), daily("old", 3, 0.9, 8)), memory.TrendDown},
		"by no more than 0.05":          {slices.Concat(daily("new", 3, 0.65, 0), daily("old", 3, 0.6, 8)), memory.TrendFlat},
		"by a little more than 0.05":    {slices.Concat(daily("new", 3, 0.651, 0), daily("old", 3, 0.6, 8)), memory.TrendUp},
		"worse by no more than 0.05":    {slices.Concat(daily("new", 3, 0.6, 0), daily("old", 3, 0.65, 8)), memory.TrendFlat},
		"too few this week":             {slices.Concat(daily("new", 2, 0.9, 0), daily("old", 3, 0.1, 8)), memory.TrendFlat},
		"too few before":                {slices.Concat(daily("new", 3, 0.9, 0), daily("old", 2, 0.1, 8)), memory.TrendFlat},
		"7 days ago is still this week": {slices.Concat(daily("new", 3, 0.9, 5), daily("old", 2, 0.1, 8)), memory.TrendFlat},
	} {
		assert.Equal(t, test.want, profileOf(test.executions...).Standing(monday).Trend, name)
	}
}

func TestEffectiveExecutions(t *testing.T) {
	same := profileOf(did("a", monday, 1), did("b", monday, 0), did("c", monday, 1))
	assert.InDelta(t, 3, same.Standing(monday).Effective, 1e-12)
	apart := profileOf(did("a", monday, 1), did("b", monday.Add(-days(70)), 0))
	assert.InDelta(t, 1, apart.Standing(monday).Effective, 1e-4)
	assert.Equal(t, 1, apart.Standing(monday).Recent)
}

func TestTaskTypeAlerts(t *testing.T) {
	of := func(agent, taskType string, executions []memory.Execution) *memory.LearningProfile {
		p := profileOf(executions...)
		p.AgentKey, p.TaskType = agent, taskType
		return p
	}
	profiles := []*memory.LearningProfile{
		of("ada", "good", daily("x", 20, 0.9, 0)), of("eve", "good", daily("x", 20, 0.1, 0)),
		of("ada", "bad", daily("x", 20, 0.4, 0)), of("eve", "bad", daily("x", 5, 0.9, 0)),
		of("ada", "young", daily("x", 5, 0.9, 0)), of("eve", "young", daily("x", 1, 0.9, 0)),
		of("ada", "on the line", daily("x", 10, 1, 0)),
	}
	alerts := memory.TaskTypeAlerts(profiles, 0.5, monday)
	for i := range alerts {
		alerts[i].BestScore = math.Round(alerts[i].BestScore*1e9) / 1e9
	}
	assert.Equal(t, []memory.TaskTypeAlert{
		{TaskType: "young", BestScore: 0.225, Threshold: 0.5, Agents: 2, ColdStart: true},
		{TaskType: "bad", BestScore: 0.4, Threshold: 0.5, Agents: 2},
	}, alerts)
	assert.Equal(t, []memory.TaskTypeAlert{}, memory.TaskTypeAlerts(nil, 0.5, time.Time{}))
}
