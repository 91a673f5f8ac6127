package gqlhttp

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const mb = 1 << 20

func enter(t *testing.T, g *gate, bytes int64) *pass {
	t.Helper()
	p, err := g.enter(t.Context(), bytes)
	require.NoError(t, err)
	return p
}

// Large requests wait for each other, not longer than they may, and small ones never for them.
func TestLargeRequestsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(10*mb, time.Second)
		first := enter(t, g, 6*mb)
		answered := 0
		for range 50 {
			go func() {
				p, err := g.enter(t.Context(), 100*mb) // which counts as the whole room
				if err == nil {
					answered++
					time.Sleep(30 * time.Millisecond)
				} else {
					assert.ErrorIs(t, err, errBusy)
				}
				p.leave()
			}()
		}
		synctest.Wait()
		assert.Zero(t, answered)
		enter(t, g, 1000).leave() // at once, though 50 wait
		first.leave()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.Equal(t, 34, answered, "in a second, one after the other; the rest were told to try again")
		enter(t, g, 10*mb).leave()
	})
}

func TestAGateThatIsLeftWhileWaiting(t *testing.T) {
	g := newGate(10*mb, time.Hour)
	defer enter(t, g, 10*mb).leave()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := g.enter(ctx, 5*mb)
	assert.ErrorIs(t, err, context.Canceled)
}

// A request has what it was estimated to take, more where there is some, and all where it is alone.
func TestRoomGrows(t *testing.T) {
	g := newGate(10*mb, time.Second)
	small, large := enter(t, g, 1), enter(t, g, 4*mb)
	assert.Equal(t, int64(mb), small.has())
	assert.Equal(t, int64(4*mb), small.grow(3*mb), "and a step more, so that it need not ask again soon")
	assert.Equal(t, int64(4*mb), small.grow(9*mb), "6 MB would be needed, and 3 are there")
	assert.Equal(t, int64(7*mb), large.grow(6*mb))
	large.keep(mb)
	assert.Equal(t, int64(mb), large.has())
	small.leave()
	assert.Equal(t, int64(enough), large.grow(20*mb), "the whole room is whatever a request may take")
	large.leave()
	large.leave()
	assert.True(t, g.large.TryAcquire(10*mb))
	assert.True(t, g.small.TryAcquire(smallAtOnce))
}
