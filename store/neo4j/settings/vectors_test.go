package settings

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/store"
)

func TestVectorsThatTheIndexCannotTake(t *testing.T) {
	require.NoError(t, CheckVector([]float32{0, 1e-3}))
	require.NoError(t, CheckVector(append(make([]float32, store.LongestVector-1), 1)))
	for name, vector := range map[string][]float32{
		"none": nil, "empty": {}, "zero": {0, 0}, "next to zero": {1e-20}, "endless": {1e30}, "too many": make([]float32, store.LongestVector+1),
	} {
		require.Error(t, CheckVector(vector), name)
	}
}
