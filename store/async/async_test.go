package async_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/store/async"
)

func TestBegin(t *testing.T) {
	t.Parallel()
	assert.Equal(t, 7, async.Begin(func() int { return 7 })())
	wait := async.Begin(func() int { panic("broken") })
	for range 2 {
		assert.PanicsWithValue(t, "broken", func() { wait() }, "where it is waited for")
	}
}

func TestInParts(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 9, 10, 1000, 1001} {
		next := 0
		for _, part := range async.InParts(size, 10, func(from, until int) [2]int { return [2]int{from, until} }) {
			assert.Equal(t, next, part[0], "of %d", size)
			next = part[1]
		}
		assert.Equal(t, size, next, "of %d", size)
	}
}
