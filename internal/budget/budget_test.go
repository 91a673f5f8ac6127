package budget_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/budget"
)

const mb = 1 << 20

func claim(t *testing.T, b *budget.Budget, bytes int64) *budget.Claim {
	t.Helper()
	c := b.Claim()
	require.NoError(t, c.Acquire(t.Context(), bytes))
	return c
}

// Large requests wait for each other, not longer than they may, and small ones never for them.
func TestLargeRequestsWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var answered, refused atomic.Int64
		b := budget.New(16*mb, time.Second)
		b.OnRefusal = func() { refused.Add(1) }
		first := claim(t, b, 6*mb)
		for range 50 {
			go func() {
				c := b.Claim()
				defer c.Release()
				if err := c.Acquire(t.Context(), 100*mb); err != nil { // which counts as all that one can have
					assert.ErrorIs(t, err, budget.ErrBusy)
					return
				}
				answered.Add(1)
				time.Sleep(30 * time.Millisecond)
			}()
		}
		synctest.Wait()
		assert.Zero(t, answered.Load())
		claim(t, b, 1000).Release() // at once, though 50 wait
		first.Release()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.EqualValues(t, 34, answered.Load(), "in a second, one after the other; the rest were told to try again")
		assert.EqualValues(t, 16, refused.Load())
		claim(t, b, 12*mb).Release()
	})
}

// Those that wait keep their connections from others, so there are not many of them.
func TestFewWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(8*mb, time.Hour)
		held := claim(t, b, 6*mb)
		for range 256 {
			go func() {
				c := b.Claim()
				defer c.Release()
				assert.NoError(t, c.Acquire(t.Context(), 2*mb))
			}()
		}
		synctest.Wait()
		require.ErrorIs(t, b.Claim().Acquire(t.Context(), 2*mb), budget.ErrBusy)
		held.Release()
		synctest.Wait()
		claim(t, b, 2*mb).Release()
	})
}

func TestAClientThatLeavesWaitsNoMore(t *testing.T) {
	t.Parallel()
	b := budget.New(8*mb, time.Hour)
	defer claim(t, b, 6*mb).Release()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, b.Claim().Acquire(ctx, 5*mb), context.Canceled)
}

// A request that needs more gets it at once or is refused: it waits for nobody while it has something itself.
func TestClaimsGrow(t *testing.T) {
	t.Parallel()
	b := budget.New(16*mb, time.Hour)
	small, large := claim(t, b, 1), claim(t, b, 4*mb)
	assert.Equal(t, int64(mb), small.Has())
	assert.Equal(t, int64(4*mb), small.Grow(3*mb), "and a step more, so that it need not ask again soon")
	assert.Equal(t, int64(4*mb), small.Grow(12*mb), "8 MB would be needed, and 5 are there")
	require.ErrorIs(t, small.Acquire(t.Context(), 12*mb), budget.ErrBusy)
	require.NoError(t, large.Acquire(t.Context(), 8*mb))
	small.Release()
	assert.Greater(t, large.Grow(100*mb), int64(100*mb), "all that one can have is whatever a request takes")
	large.Release()
	claim(t, b, 12*mb).Release()
}

// An answer that nobody takes keeps as many bytes as it has.
func TestAClaimKeepsWhatItsAnswerTakes(t *testing.T) {
	t.Parallel()
	b := budget.New(8*mb, time.Second)
	for range 1000 {
		claim(t, b, 1).Keep(15)
	}
	c := claim(t, b, 6*mb)
	c.Keep(mb)
	assert.Equal(t, int64(mb), c.Has())
	claim(t, b, 5*mb).Release()
	c.Keep(10 * mb)
	assert.Equal(t, int64(mb), c.Has(), "which is no more than it had")
}

// A request that is over gets nothing, whatever of it still runs.
func TestAReleasedClaimGetsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(16*mb, time.Hour)
		held, late := claim(t, b, 12*mb), b.Claim()
		var err error
		go func() { err = late.Acquire(t.Context(), 12*mb) }()
		synctest.Wait()
		late.Release()
		held.Release()
		synctest.Wait()
		require.ErrorIs(t, err, budget.ErrBusy)
		assert.Zero(t, late.Grow(mb))
		claim(t, b, 12*mb).Release()
	})
}

// Without a budget nothing is bounded.
func TestNoClaim(t *testing.T) {
	t.Parallel()
	c := budget.Of(t.Context())
	require.NoError(t, c.Acquire(t.Context(), 1<<40))
	assert.Greater(t, c.Grow(1<<40), int64(1<<40))
	c.Keep(1)
	c.Release()
	some := budget.New(0, 0).Claim()
	assert.Same(t, some, budget.Of(budget.With(t.Context(), some)))
}

// Events share a third of the memory for large requests, and wait without a limit; what one gives back another takes.
func TestEventsShareAPart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(16*mb, time.Second)
		var told atomic.Int64
		first := b.Claim()
		require.NoError(t, first.Tell(t.Context(), 4*mb))
		ctx, leave := context.WithCancel(t.Context())
		for range 2 {
			go func() {
				c := b.Claim().Beside()
				defer c.Release()
				if c.Tell(ctx, 2*mb) == nil {
					told.Add(1)
					<-ctx.Done()
				}
			}()
		}
		time.Sleep(time.Minute)
		assert.Zero(t, told.Load())
		claim(t, b, 8*mb).Release() // which events leave to others
		first.Keep(2 * mb)
		synctest.Wait()
		assert.EqualValues(t, 1, told.Load())
		leave()
		synctest.Wait()
		claim(t, b, 10*mb).Release()
		first.Release()
		claim(t, b, 12*mb).Release()
	})
}
