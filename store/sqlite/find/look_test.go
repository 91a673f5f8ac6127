package find

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What is left of an order is as it was said.
func TestBringForward(t *testing.T) {
	for _, size := range []int{0, 1, 2, 3, 10, 257} {
		for _, first := range []int{1, 2, 5, 128} {
			matches := make([]match, size)
			for i := range matches {
				matches[i] = match{hit: hit{id: int64(i)}, promise: float64(i * 7919 % 13)}
			}
			if first > size {
				continue
			}
			bringForward(matches, first, promisesMore)
			for i := range matches[:first] {
				for j := range matches[first:] {
					require.True(t, promisesMore(&matches[i], &matches[first+j]), "%d of %d", first, size)
				}
			}
		}
	}
}
