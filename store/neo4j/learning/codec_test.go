package learning

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
)

// A change of anything that a seal covers changes it, and those that cover more.
func TestSealsCoverWhatTheySeal(t *testing.T) {
	profile := func() *memory.LearningProfile {
		p := &memory.LearningProfile{AgentKey: "a", TaskType: "t"}
		for n := range 3 {
			p.Add(&memory.Execution{Success: n%2 == 0, Quality: float64(n) / 1000, At: time.UnixMilli(int64(n))})
		}
		return p
	}
	seals := func(p *memory.LearningProfile) [2]int64 {
		return [2]int64{countersSealOf(p), sealOf(p)}
	}
	before := seals(profile())
	require.Equal(t, before, seals(profile()))
	for name, test := range map[string]struct {
		from   int // the first seal that changes
		change func(*memory.LearningProfile)
	}{
		"total":      {0, func(p *memory.LearningProfile) { p.Total++ }},
		"successful": {0, func(p *memory.LearningProfile) { p.Successful++ }},
		"quality":    {0, func(p *memory.LearningProfile) { p.QualityBillionths++ }},
		"latency":    {0, func(p *memory.LearningProfile) { p.LatencyMicros++ }},
		"timed":      {0, func(p *memory.LearningProfile) { p.Timed++ }},
		"times":      {1, func(p *memory.LearningProfile) { p.Window.At[1]++ }},
		"qualities":  {1, func(p *memory.LearningProfile) { p.Window.Quality[2] = 0.7 }},
		"fewer":      {1, func(p *memory.LearningProfile) { p.Window.Quality = p.Window.Quality[:2] }},
	} {
		p := profile()
		test.change(p)
		for i, seal := range seals(p) {
			require.Equal(t, i < test.from, seal == before[i], "%s, seal %d", name, i)
		}
	}
}
