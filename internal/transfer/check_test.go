package transfer

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
)

// Of several faults of a pattern's counts, the same is told each time.
func TestTheFirstFaultOfAPatternIsTheSameEachTime(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	faulty := keptPattern{pattern: pattern{
		Key: "k", Kind: memory.PatternDont, LastSeen: now, Hits: -1, Total: -1, Scored: -1, Recovered: -1, RecoverySum: -1,
	}}
	for range 30 {
		var fault *memory.Error
		require.ErrorAs(t, faulty.check(), &fault)
		require.Equal(t, "hits", fault.Field)
	}
}
