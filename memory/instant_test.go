package memory_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
)

func TestCheckTime(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
	e := memory.Episode{StartedAt: memory.EarliestTime, EndedAt: new(time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC))}
	assert.InDelta(t, 253402300799.999, *e.DurationSeconds(), 1e-3)
}

// Every door reads times by this: what one takes all take.
func TestParseTime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2026-03-01T12:00:00+01:00":      "2026-03-01T11:00:00Z",
		"2026-03-01":                     "2026-03-01T00:00:00Z",
		"2026-03-01T12:00:00-23:59":      "2026-03-02T11:59:00Z",
		"2026-03-01t12:00:00.5z":         "2026-03-01T12:00:00.5Z",
		"2016-12-31T23:59:60Z":           "2017-01-01T00:00:00Z",
		"2016-12-31t23:59:60.9z":         "2017-01-01T00:00:00Z",
		"9999-12-31T23:59:59.999999999Z": "9999-12-31T23:59:59.999999999Z",
	} {
		at, err := memory.ParseTime("at", text)
		if assert.NoError(t, err, text) {
			assert.Equal(t, want, at.Format(time.RFC3339Nano), text)
		}
	}
	for _, text := range []string{
		"", "noon", "2026-3-1", "2026-02-29", "1969-12-31", "2026-03-01 ", "2026-03-01T12:00:00", "2026-03-01 12:00:00Z", "2026-03-01T12:00:00,5Z", "2026-03-01T1:00:00Z", "2026-02-29T12:00:00Z",
		"1969-12-31T23:59:59Z", "9999-12-31T23:59:60Z", "2026-03-01T12:00:61Z", "２026-03-01T12:00:00Z",
		"2026-03-01T12:00:00+24:00", "2026-03-01T12:00:00-01:60",
	} {
		_, err := memory.ParseTime("at", text)
		var fault *memory.Error
		if assert.ErrorAs(t, err, &fault, text) {
			assert.Equal(t, "at", fault.Field)
			assert.Equal(t, memory.CodeInvalidInput, fault.Code)
		}
	}
}
