package memory_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
)

func TestCheckTime(t *testing.T) {
	west, east := time.FixedZone("west", -3600), time.FixedZone("east", 3600)
	for _, at := range []time.Time{
		time.Unix(0, 0), time.Date(1969, 12, 31, 23, 0, 0, 0, west), memory.EarliestTime,
		time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC), time.Date(10000, 1, 1, 0, 59, 59, 0, east),
	} {
		assert.NoError(t, memory.CheckTime("at", at), at)
	}
	for _, at := range []time.Time{
		{}, time.Unix(0, -1), time.Date(1970, 1, 1, 0, 59, 59, 0, east), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 12, 31, 23, 0, 0, 0, west), time.Unix(1<<60, 0), time.Unix(-1<<60, 0),
	} {
		var fault *memory.Error
		if assert.ErrorAs(t, memory.CheckTime("at", at), &fault, at) {
			assert.Equal(t, memory.CodeInvalidInput, fault.Code)
			assert.Equal(t, "at", fault.Field)
		}
	}
}

func TestADurationOfAges(t *testing.T) {
	e := memory.Episode{StartedAt: memory.EarliestTime, EndedAt: new(time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC))}
	assert.InDelta(t, 253402300799.999, *e.DurationSeconds(), 1e-3)
}
