package db

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Those that come to the front come before all others.
func TestBringForward(t *testing.T) {
	t.Parallel()
	less := func(a, b *int) bool { return *a < *b }
	for _, size := range []int{0, 1, 2, 3, 10, 257} {
		for _, first := range []int{1, 2, 5, 128} {
			list := make([]int, size)
			for i := range list {
				list[i] = i * 7919 % 13
			}
			if first > size {
				continue
			}
			before := slices.Sorted(slices.Values(list))
			BringForward(list, first, less)
			require.Equal(t, before, slices.Sorted(slices.Values(list)), "none is lost")
			if first < size {
				require.LessOrEqual(t, slices.Max(list[:first]), slices.Min(list[first:]), "%d of %d", first, size)
			}
		}
	}
}
