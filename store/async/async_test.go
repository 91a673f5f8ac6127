package async_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/store/async"
)

func TestBegin(t *testing.T) {
	assert.Equal(t, 7, async.Begin(func() int { return 7 })())
	wait := async.Begin(func() int { panic("broken") })
	for range 2 {
		assert.PanicsWithValue(t, "broken", func() { wait() }, "where it is waited for")
	}
}
