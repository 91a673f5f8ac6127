package memory_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
)

func TestWeight(t *testing.T) {
	for name, test := range map[string]struct {
		policy     memory.DecayPolicy
		importance memory.Importance
		accesses   int
		age        float64 // days since it was recorded
		idle       float64 // days since the last access; below 0 means never
		want       float64
	}{
		"critical":                          {memory.DecayUseFades, memory.ImportanceCritical, 100, 900, 900, 1},
		"high":                              {memory.DecayUseFades, memory.ImportanceHigh, 100, 900, 900, 0.8},
		"medium, never read":                {memory.DecayUseFades, memory.ImportanceMedium, 0, 900, -1, 0.5},
		"medium, read once":                 {memory.DecayUseFades, memory.ImportanceMedium, 1, 900, 1, 0.5 / 1.1},
		"medium, read ten times":            {memory.DecayUseFades, memory.ImportanceMedium, 10, 1, 0, 0.25},
		"low, never read":                   {memory.DecayUseFades, memory.ImportanceLow, 0, 0, -1, 0.2},
		"low, read five times":              {memory.DecayUseFades, memory.ImportanceLow, 5, 0, 0, 0.2 / 1.5},
		"no policy is the default":          {"", memory.ImportanceLow, 10, 900, 900, 0.1},
		"no importance is medium":           {memory.DecayUseFades, "", 0, 0, -1, 0.5},
		"time: critical":                    {memory.DecayTimeFades, memory.ImportanceCritical, 0, 900, -1, 1},
		"time: high":                        {memory.DecayTimeFades, memory.ImportanceHigh, 0, 900, -1, 0.8},
		"time: medium, new":                 {memory.DecayTimeFades, memory.ImportanceMedium, 0, 0, -1, 0.5},
		"time: medium, after a half-life":   {memory.DecayTimeFades, memory.ImportanceMedium, 0, 30, -1, 0.25},
		"time: medium, after three":         {memory.DecayTimeFades, memory.ImportanceMedium, 0, 90, -1, 0.125},
		"time: just read":                   {memory.DecayTimeFades, memory.ImportanceMedium, 1, 900, 0, 0.5},
		"time: read ten times, a month ago": {memory.DecayTimeFades, memory.ImportanceMedium, 10, 900, 30, 0.5 / 1.5},
		"time: low, after half of one":      {memory.DecayTimeFades, memory.ImportanceLow, 0, 15, -1, 0.2 / 1.5},
		"time: recorded in the future":      {memory.DecayTimeFades, memory.ImportanceLow, 0, -9, -1, 0.2},
	} {
		t.Run(name, func(t *testing.T) {
			o := &memory.Observation{Importance: test.importance, AccessCount: test.accesses, CreatedAt: day(-test.age)}
			if test.idle >= 0 {
				o.LastAccessedAt = ptr(day(-test.idle))
			}
			assert.InDelta(t, test.want, test.policy.Weight(o, day(0)), 1e-12)
		})
	}
}

func TestPrunable(t *testing.T) {
	for name, test := range map[string]struct {
		importance memory.Importance
		minWeight  float64
		want       bool
	}{
		"lighter":                    {memory.ImportanceLow, 0.21, true},
		"exactly as heavy":           {memory.ImportanceLow, 0.2, false},
		"heavier":                    {memory.ImportanceMedium, 0.3, false},
		"critical, whatever is said": {memory.ImportanceCritical, 2, false},
		"high, whatever is said":     {memory.ImportanceHigh, 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			o := &memory.Observation{Importance: test.importance, CreatedAt: day(-1)}
			assert.Equal(t, test.want, memory.Prunable(o, memory.DecayUseFades, day(0), test.minWeight))
		})
	}
}

func TestUseLowersTheOneAndStrengthensTheOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		importance := rapid.SampledFrom(memory.Importances).Draw(t, "importance")
		n := rapid.IntRange(0, 1_000_000).Draw(t, "accesses")
		age := time.Duration(rapid.Int64Range(0, int64(5000*24*time.Hour)).Draw(t, "age"))
		less := &memory.Observation{Importance: importance, AccessCount: n, CreatedAt: day(0).Add(-age)}
		more := &memory.Observation{Importance: importance, AccessCount: n + 1, CreatedAt: less.CreatedAt}
		assert.LessOrEqual(t, memory.DecayUseFades.Weight(more, day(0)), memory.DecayUseFades.Weight(less, day(0)))
		assert.GreaterOrEqual(t, memory.DecayTimeFades.Weight(more, day(0)), memory.DecayTimeFades.Weight(less, day(0)))
		assert.GreaterOrEqual(t, memory.DecayTimeFades.Weight(less, day(0)), memory.DecayTimeFades.Weight(less, day(1)))
		for _, policy := range memory.DecayPolicies {
			weight := policy.Weight(less, day(0))
			assert.Positive(t, weight)
			assert.LessOrEqual(t, weight, importance.BaseWeight())
			assert.Equal(t, !importance.Pinned() && weight < 0.4, memory.Prunable(less, policy, day(0), 0.4))
		}
	})
}

func TestParseDecayPolicy(t *testing.T) {
	for name, want := range map[string]memory.DecayPolicy{
		"": memory.DecayUseFades, "USE_FADES": memory.DecayUseFades, "use-fades": memory.DecayUseFades,
		"time_fades": memory.DecayTimeFades, "Time-Fades": memory.DecayTimeFades,
	} {
		policy, err := memory.ParseDecayPolicy(name)
		require.NoError(t, err, name)
		assert.Equal(t, want, policy, name)
	}
	_, err := memory.ParseDecayPolicy("never")
	assert.ErrorContains(t, err, `"never" is no decay policy; there are USE_FADES and TIME_FADES`)
}
