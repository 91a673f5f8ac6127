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

func TestOf120Executions100StayAnd20AreArchived(t *testing.T) {
	t.Parallel()
	p, archive := memorytest.ProfileOf(), []string{}
	for i := range 120 {
		if archived := p.Add(memorytest.Did(fmt.Sprintf("x%03d", i), memorytest.Monday.Add(time.Duration(i)*time.Hour), 1)); archived != nil {
			assert.True(t, archived.Archived)
			archive = append(archive, archived.Key)
		}
	}
	assert.Equal(t, 120, p.Total)
	assert.Len(t, p.Window.Keys, 100)
	assert.Equal(t, "x020", p.Window.Keys[0])
	assert.Len(t, archive, 20)
	assert.Equal(t, "x019", archive[19])

	assert.True(t, p.Remove(memorytest.Did("x050", memorytest.Monday.Add(50*time.Hour), 1)), "the archive refills the window")
	p.Refill(memorytest.Did("x019", memorytest.Monday.Add(19*time.Hour), 1))
	assert.Equal(t, 119, p.Total)
	assert.Len(t, p.Window.Keys, 100)
	assert.Equal(t, "x019", p.Window.Keys[0])
	assert.False(t, p.Remove(memorytest.Did("x003", memorytest.Monday.Add(3*time.Hour), 1)), "the archived leave the counters only")
	assert.Equal(t, 118, p.Total)
	assert.Len(t, p.Window.Keys, 100)
}

func TestAnOldExecutionIsArchivedAtOnce(t *testing.T) {
	t.Parallel()
	p := memorytest.ProfileOf()
	for i := range 100 {
		p.Add(memorytest.Did(fmt.Sprintf("x%03d", i), memorytest.Monday, 1))
	}
	archived := p.Add(memorytest.Did("w", memorytest.Monday, 0.25))
	assert.Equal(t, "w", archived.Key, "of one time, the lesser key is the older")
	assert.Equal(t, "x000", p.Add(memorytest.Did("y", memorytest.Monday, 0.25)).Key)
	assert.Equal(t, 100.5, float64(p.QualityBillionths)/1e9)
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
	assert.Nil(t, p.Executions()[2].LatencyMs)
	assert.Equal(t, new(0.5), p.Executions()[0].LatencyMs)
	p.Remove(timed("a", 0.1, 0.5))
	p.Remove(timed("b", 0.2, 1000))
	assert.Nil(t, p.AvgLatencyMs())
	p.Remove(memorytest.Did("c", memorytest.Monday.Add(1), 0.9))
	assert.Equal(t, memorytest.ProfileOf().Total, p.Total)
	assert.Zero(t, p.AvgQuality())
	assert.Zero(t, p.QualityBillionths)
}

// TestAProfileIsThatOfItsExecutions adds executions in any order, removes some, and compares with what the
// rest are by themselves.
func TestAProfileIsThatOfItsExecutions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(random *rapid.T) {
		all := memorytest.DrawExecutions(random, 150)
		p, archive := memorytest.ProfileOf(), map[string]memory.Execution{}
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
		assert.Equal(random, memorytest.ProfileOf(rest...).QualityBillionths, p.QualityBillionths)
		assert.Equal(random, memorytest.ProfileOf(rest...).LatencyMicros, p.LatencyMicros)
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
