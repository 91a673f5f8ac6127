package store_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store"
)

func TestWhatNobodyHasIsBoundNoMore(t *testing.T) {
	t.Parallel()
	type tenant struct {
		id     string
		learnt [64]int
	}
	var bound store.WeakMap[tenant]
	bind := func(id string) *tenant { return bound.Bind(id, func() *tenant { return &tenant{id: id} }) }
	had := bind("had")
	had.learnt[0] = 1
	for i := range 5000 {
		id := fmt.Sprintf("t%d", i)
		require.Equal(t, id, bind(id).id)
	}
	require.Eventually(t, func() bool {
		runtime.GC()
		return bound.Len() == 1
	}, time.Minute, time.Millisecond)
	assert.Same(t, had, bind("had"), "somebody has it")
	assert.Equal(t, []string{"had"}, bound.All())
	assert.Zero(t, bind("t1").learnt[0])
	runtime.KeepAlive(had)
}
