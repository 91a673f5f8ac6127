package decay_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/memory/memorytest"
)

func TestWeight(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		policy     decay.Policy
		importance memory.Importance
		accesses   int
		age        float64 // days since it was recorded
		idle       float64 // days since the last access; below 0 means never
		want       float64
	}{
		"critical":                          {decay.UseFades, memory.ImportanceCritical, 100, 900, 900, 1},
		"high":                              {decay.UseFades, memory.ImportanceHigh, 100, 900, 900, 0.8},
		"medium, never read":                {decay.UseFades, memory.ImportanceMedium, 0, 900, -1, 0.5},
		"medium, read once":                 {decay.UseFades, memory.ImportanceMedium, 1, 900, 1, 0.5 / 1.1},
		"medium, read ten times":            {decay.UseFades, memory.ImportanceMedium, 10, 1, 0, 0.25},
		"low, never read":                   {decay.UseFades, memory.ImportanceLow, 0, 0, -1, 0.2},
		"low, read five times":              {decay.UseFades, memory.ImportanceLow, 5, 0, 0, 0.2 / 1.5},
		"no policy is the default":          {"", memory.ImportanceLow, 10, 900, 900, 0.1},
		"no importance is medium":           {decay.UseFades, "", 0, 0, -1, 0.5},
		"time: critical":                    {decay.TimeFades, memory.ImportanceCritical, 0, 900, -1, 1},
		"time: high":                        {decay.TimeFades, memory.ImportanceHigh, 0, 900, -1, 0.8},
		"time: medium, new":                 {decay.TimeFades, memory.ImportanceMedium, 0, 0, -1, 0.5},
		"time: medium, after a half-life":   {decay.TimeFades, memory.ImportanceMedium, 0, 30, -1, 0.25},
		"time: medium, after three":         {decay.TimeFades, memory.ImportanceMedium, 0, 90, -1, 0.125},
		"time: just read":                   {decay.TimeFades, memory.ImportanceMedium, 1, 900, 0, 0.5},
		"time: read ten times, a month ago": {decay.TimeFades, memory.ImportanceMedium, 10, 900, 30, 0.5 / 1.5},
		"time: low, after half of one":      {decay.TimeFades, memory.ImportanceLow, 0, 15, -1, 0.2 / 1.5},
		"time: recorded in the future":      {decay.TimeFades, memory.ImportanceLow, 0, -9, -1, 0.2},
	} {
		t.Run(name, func(t *testing.T) {
			o := &memory.Observation{Importance: test.importance, AccessCount: test.accesses, CreatedAt: memorytest.Day(-test.age)}
			if test.idle >= 0 {
				o.LastAccessedAt = new(memorytest.Day(-test.idle))
			}
			assert.InDelta(t, test.want, test.policy.Weight(o, memorytest.Day(0)), 1e-12)
		})
	}
}

func TestUseLowersTheOneAndStrengthensTheOther(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		importance := rapid.SampledFrom(memory.Importances).Draw(t, "importance")
		n := rapid.IntRange(0, 1_000_000).Draw(t, "accesses")
		age := time.Duration(rapid.Int64Range(0, int64(5000*24*time.Hour)).Draw(t, "age"))
		less := &memory.Observation{Importance: importance, AccessCount: n, CreatedAt: memorytest.Day(0).Add(-age)}
		more := &memory.Observation{Importance: importance, AccessCount: n + 1, CreatedAt: less.CreatedAt}
		assert.LessOrEqual(t, decay.UseFades.Weight(more, memorytest.Day(0)), decay.UseFades.Weight(less, memorytest.Day(0)))
		assert.GreaterOrEqual(t, decay.TimeFades.Weight(more, memorytest.Day(0)), decay.TimeFades.Weight(less, memorytest.Day(0)))
		assert.GreaterOrEqual(t, decay.TimeFades.Weight(less, memorytest.Day(0)), decay.TimeFades.Weight(less, memorytest.Day(1)))
		for _, policy := range decay.Policies {
			weight := policy.Weight(less, memorytest.Day(0))
			assert.Positive(t, weight)
			assert.LessOrEqual(t, weight, decay.BaseWeight(importance))
		}
	})
}

// The expression comes to the bits of the weight, whatever is weighed.
func TestExpressionIsTheWeight(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		importance := rapid.SampledFrom(append([]memory.Importance{"", "OTHER"}, memory.Importances...)).Draw(t, "importance")
		accesses := rapid.IntRange(0, math.MaxInt).Draw(t, "accesses")
		now := time.UnixMilli(rapid.Int64Range(-1<<47, 1<<48).Draw(t, "now"))
		used := time.UnixMilli(rapid.Int64Range(-1<<47, 1<<48).Draw(t, "used"))
		o := &memory.Observation{Importance: importance, AccessCount: accesses, CreatedAt: used}
		values := map[string]float64{"accesses": float64(accesses), "age": float64(max(0, now.UnixMilli()-used.UnixMilli()))}
		for _, policy := range decay.Policies {
			text, found := strings.CutPrefix(policy.Expression("importance", "accesses", "age"), "CASE importance")
			require.True(t, found)
			_, of, found := strings.Cut(text, " WHEN '"+string(importance)+"' THEN ")
			if !found {
				_, of, _ = strings.Cut(text, " ELSE ")
			}
			for _, end := range []string{" WHEN ", " ELSE ", " END"} {
				of, _, _ = strings.Cut(of, end)
			}
			expression, err := parser.ParseExpr(of)
			require.NoError(t, err, of)
			require.Equal(t, math.Float64bits(policy.Weight(o, now)), math.Float64bits(valueOf(t, expression, values)), of)
		}
	})
}

// valueOf is what an expression comes to, one operation after the other.
func valueOf(t *rapid.T, expression ast.Expr, values map[string]float64) float64 {
	switch e := expression.(type) {
	case *ast.ParenExpr:
		return valueOf(t, e.X, values)
	case *ast.Ident:
		return values[e.Name]
	case *ast.BasicLit:
		value, err := strconv.ParseFloat(e.Value, 64)
		require.NoError(t, err)
		return value
	case *ast.BinaryExpr:
		x, y := valueOf(t, e.X, values), valueOf(t, e.Y, values)
		switch e.Op {
		case token.ADD:
			return x + y
		case token.MUL:
			return x * y
		case token.QUO:
			return x / y
		}
	}
	t.Fatalf("%T is nothing that a weight is made of", expression)
	return 0
}

// Pruning keeps those that do not fade: however often and long ago they were read, they weigh 1 and 0.8.
func TestPinned(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{"CRITICAL", "HIGH"}, decay.Pinned())
}

func TestParseDecayPolicy(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]decay.Policy{
		"": decay.UseFades, "USE_FADES": decay.UseFades, "use-fades": decay.UseFades,
		"time_fades": decay.TimeFades, "Time-Fades": decay.TimeFades,
	} {
		policy, err := decay.Parse(name)
		require.NoError(t, err, name)
		assert.Equal(t, want, policy, name)
	}
	_, err := decay.Parse("never")
	assert.ErrorContains(t, err, `"never" is no decay policy; there are USE_FADES and TIME_FADES`)
}
