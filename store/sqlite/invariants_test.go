package sqlite

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/store/invariants"
)

// A check by a name that no invariant has would never run.
func TestEachCheckIsOfAnInvariant(t *testing.T) {
	t.Parallel()
	require.NotEmpty(t, mends)
	for name := range mends {
		require.True(t, slices.ContainsFunc(invariants.All, func(i invariants.Invariant) bool { return i.Name == name && i.Fault != "" }), name)
	}
}
