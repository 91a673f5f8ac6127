package memory_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory"
)

// did is an execution of a quality, a success from a half on.
func did(key string, at time.Time, quality float64) memory.Execution {
	return memory.Execution{Key: key, AgentKey: "ada", TaskType: "refund", Success: quality >= 0.5, Quality: quality, At: at}
}

// profileOf is a profile with the executions.
func profileOf(executions ...memory.Execution) *memory.LearningProfile {
	p := &memory.LearningProfile{AgentKey: "ada", TaskType: "refund"}
	for _, e := range executions {
		p.Add(e)
	}
	return p
}

func TestOf120Executions100StayAnd20AreArchived(t *testing.T) {
	p, archive := profileOf(), []string{}
	for i := range 120 {
		if archived := p.Add(did(fmt.Sprintf("x%03d", i), monday.Add(time.Duration(i)*time.Hour), 1)); archived != nil {
			assert.True(t, archived.Archived)
			archive = append(archive, archived.Key)
		}
	}
	assert.Equal(t, 120, p.Total)
	assert.Len(t, p.Window.Keys, 100)
	assert.Equal(t, "x020", p.Window.Keys[0])
	assert.Len(t, archive, 20)
	assert.Equal(t, "x019", archive[19])

	assert.True(t, p.Remove(did("x050", monday.Add(50*time.Hour), 1)), "the archive refills the window")
	p.Refill(did("x019", monday.Add(19*time.Hour), 1))
	assert.Equal(t, 119, p.Total)
	assert.Len(t, p.Window.Keys, 100)
	assert.Equal(t, "x019", p.Window.Keys[0])
	assert.False(t, p.Remove(did("x003", monday.Add(3*time.Hour), 1)), "the archived leave the counters only")
	assert.Equal(t, 118, p.Total)
	assert.Len(t, p.Window.Keys, 100)
}

func TestAnOldExecutionIsArchivedAtOnce(t *testing.T) {
	p := profileOf()
	for i := range 100 {
		p.Add(did(fmt.Sprintf("x%03d", i), monday, 1))
	}
	archived := p.Add(did("w", monday, 0.25))
	assert.Equal(t, "w", archived.Key, "of one time, the lesser key is the older")
	assert.Equal(t, "x000", p.Add(did("y", monday, 0.25)).Key)
	assert.Equal(t, 100.5, float64(p.QualityBillionths)/1e9)
}

func TestAverages(t *testing.T) {
	timed := func(key string, quality, ms float64) memory.Execution {
		e := did(key, monday, quality)
		e.LatencyMs = &ms
		return e
	}
	p := profileOf(timed("a", 0.1, 0.5), timed("b", 0.2, 1000), did("c", monday.Add(1), 0.9))
	assert.Equal(t, 0.4, p.AvgQuality())
	assert.Equal(t, ptr(500.25), p.AvgLatencyMs())
	assert.Equal(t, monday, p.LastUpdated())
	assert.Nil(t, p.Executions()[2].LatencyMs)
	assert.Equal(t, ptr(0.5), p.Executions()[0].LatencyMs)
	p.Remove(timed("a", 0.1, 0.5))
	p.Remove(timed("b", 0.2, 1000))
	assert.Nil(t, p.AvgLatencyMs())
	p.Remove(did("c", monday.Add(1), 0.9))
	assert.Equal(t, profileOf().Total, p.Total)
	assert.Zero(t, p.AvgQuality())
	assert.Zero(t, p.QualityBillionths)
}

// drawExecutions draws executions at few enough times that some share one.
func drawExecutions(random *rapid.T, most int) []memory.Execution {
	all := make([]memory.Execution, rapid.IntRange(0, most).Draw(random, "executions"))
	for i := range all {
		at := monday.Add(time.Duration(rapid.IntRange(0, 40*24).Draw(random, "hour")) * time.Hour)
		all[i] = did(fmt.Sprintf("x%03d", i), at, rapid.Float64Range(0, 1).Draw(random, "quality"))
		if rapid.Bool().Draw(random, "timed") {
			all[i].LatencyMs = ptr(rapid.Float64Range(0, 1e6).Draw(random, "latency"))
		}
	}
	return all
}

// TestAProfileIsThatOfItsExecutions adds executions in any order, removes some, and compares with what the
// rest are by themselves.
func TestAProfileIsThatOfItsExecutions(t *testing.T) {
	rapid.Check(t, func(random *rapid.T) {
		all := drawExecutions(random, 150)
		p, archive := profileOf(), map[string]memory.Execution{}
		for _, e := range all {
			if archived := p.Add(e); archived != nil {
				archive[archived.Key] = *archived
			}
		}
		gone := rapid.IntRange(0, len(all)).Draw(random, "removed")
		for _, e := range all[:gone] {
			delete(archive, e.Key)
			if p.Remove(e) {
				latest := latestOf(archive)
				delete(archive, latest.Key)
				p.Refill(latest)
			}
		}
		rest := slices.Clone(all[gone:])
		slices.SortFunc(rest, func(a, b memory.Execution) int { return memory.CompareExecutions(&a, &b) })
		assert.Equal(random, len(rest), p.Total)
		assert.Equal(random, profileOf(rest...).QualityBillionths, p.QualityBillionths)
		assert.Equal(random, profileOf(rest...).LatencyMicros, p.LatencyMicros)
		window := rest[max(0, len(rest)-memory.WindowSize):]
		assert.Len(random, p.Executions(), len(window))
		for i, e := range p.Executions() {
			assert.Equal(random, window[i], *e)
		}
		assert.Len(random, archive, len(rest)-len(window))
	})
}

func latestOf(archive map[string]memory.Execution) memory.Execution {
	var latest memory.Execution
	for _, e := range archive {
		e.Archived = false
		if latest.Key == "" || memory.CompareExecutions(&e, &latest) > 0 {
			latest = e
		}
	}
	return latest
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
	rapid.Check(t, func(random *rapid.T) {
		all := drawExecutions(random, 130)
		p := profileOf(all...)
		now := monday.Add(time.Duration(rapid.Int64Range(0, int64(60*24*time.Hour/time.Millisecond)).Draw(random, "now")) * time.Millisecond)
		assert.InDelta(random, plainExpertise(all, now), p.Standing(now).Expertise, 1e-9)
		assert.InDelta(random, plainExpertise(all, now)*min(1, float64(len(all))/20), p.Score(now), 1e-9)
	})
}
