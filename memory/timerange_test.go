package memory_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/memorytest"
)

func TestTimeRangeSince(t *testing.T) {
	t.Parallel()
	for r, days := range map[memory.TimeRange]float64{
		memory.Last1Day: 1, memory.Last7Days: 7, memory.Last30Days: 30, memory.Last90Days: 90,
	} {
		assert.True(t, r.Valid())
		assert.Equal(t, memorytest.Day(-days), r.Since(memorytest.Day(0)), r)
	}
	assert.False(t, memory.TimeRange("LAST_2D").Valid())
	assert.Equal(t, memorytest.Day(0), memory.TimeRange("").Since(memorytest.Day(0)))
}
