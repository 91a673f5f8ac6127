package memory_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/memorytest"
)

// did gives an execution for each hour since Monday, each of another quality.
func did(hour int) *memory.Execution {
	return new(memorytest.Did(fmt.Sprintf("x%03d", hour), memorytest.Monday.Add(time.Duration(hour)*time.Hour), float64(hour)/1000))
}

func TestOf120Executions100StayInTheWindow(t *testing.T) {
	t.Parallel()
	p := &memory.LearningProfile{}
	for hour := range 120 {
		assert.True(t, p.Add(did(hour)), hour)
	}
	assert.Equal(t, 120, p.Total)
	assert.Len(t, p.Window.At, 100)
	assert.Equal(t, did(20).At.UnixMilli(), p.Window.At[0])
	assert.Equal(t, did(20).Quality, p.Window.Quality[0])
	assert.True(t, p.Remove(did(3)), "what is older leaves the counters only")
	assert.False(t, p.Remove(did(50)), "another takes its place")
	assert.Equal(t, 118, p.Total)
}

func TestExecutionsFindTheirPlaceByTheirTime(t *testing.T) {
	t.Parallel()
	p := &memory.LearningProfile{}
	for hour := range 100 {
		assert.True(t, p.Add(did(2*hour)))
	}
	assert.True(t, p.Add(did(-1)), "older than the window")
	assert.True(t, p.Add(did(99)))
	assert.Equal(t, did(2).At.UnixMilli(), p.Window.At[0])
	assert.Equal(t, 0.099, p.Window.Quality[49])
	assert.False(t, p.Add(did(100)), "of one time a window does not tell which is the later")
	assert.Equal(t, 103, p.Total)
}

func TestAverages(t *testing.T) {
	t.Parallel()
	timed := func(key string, quality, ms float64) memory.Execution {
		e := memorytest.Did(key, memorytest.Monday, quality)
		e.LatencyMs = &ms
		return e
	}
	p := memorytest.ProfileOf(timed("a", 0.1, 0.5), timed("b", 0.2, 1000), memorytest.Did("c", memorytest.Monday.Add(1), 0.9))
	assert.Equal(t, 0.4, p.AvgQuality())
	assert.Equal(t, new(500.25), p.AvgLatencyMs())
	assert.Equal(t, memorytest.Monday, p.LastUpdated())
	p.Remove(new(timed("a", 0.1, 0.5)))
	p.Remove(new(timed("b", 0.2, 1000)))
	assert.Nil(t, p.AvgLatencyMs())
	p.Remove(new(memorytest.Did("c", memorytest.Monday.Add(1), 0.9)))
	assert.Equal(t, memorytest.ProfileOf().Total, p.Total)
	assert.Zero(t, p.AvgQuality())
	assert.Zero(t, p.QualityBillionths)
}

// TestAProfileIsThatOfItsExecutions adds executions in any order, removes some, and compares with what the
// rest are by themselves. Where a window is not known, it is that of the latest.
func TestAProfileIsThatOfItsExecutions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(random *rapid.T) {
		all := memorytest.DrawExecutions(random, 150)
		gone := rapid.IntRange(0, len(all)).Draw(random, "removed")
		p := &memory.LearningProfile{AgentKey: "ada", TaskType: "refund"}
		for i := range all {
			if !p.Add(&all[i]) {
				p.Window = memorytest.ProfileOf(all[:i+1]...).Window
			}
		}
		for i := range all[:gone] {
			if !p.Remove(&all[i]) {
				p.Window = memorytest.ProfileOf(all[i+1:]...).Window
			}
		}
		assert.Equal(random, memorytest.ProfileOf(all[gone:]...), p)
		assert.NoError(random, p.Check())
	})
}

func TestAProfileIsWhatItWasAtAnInstant(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(random *rapid.T) {
		all := memorytest.DrawExecutions(random, 150)
		slices.SortFunc(all, func(a, b memory.Execution) int { return memory.CompareExecutions(&a, &b) })
		known := rapid.IntRange(0, len(all)).Draw(random, "known")
		p, then := memorytest.ProfileOf(all...), memorytest.ProfileOf(all[:known]...)
		p.Rewind(memorytest.Monday, memorytest.ProfileOf(all[known:]...), then.Window)
		then.AsOf = new(memorytest.Monday)
		assert.Equal(random, then, p)
	})
}
