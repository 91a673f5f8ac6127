package room

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const mb = 1 << 20

func enter(t *testing.T, r *Room, bytes int64) *Pass {
	t.Helper()
	p, err := r.Enter(t.Context(), bytes)
	require.NoError(t, err)
	return p
}

// Large requests wait for each other, not longer than they may, and small ones never for them.
func TestLargeRequestsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(10*mb, time.Second)
		first := enter(t, r, 6*mb)
		answered := 0
		for range 50 {
			go func() {
				p, err := r.Enter(t.Context(), 100*mb) // which counts as the whole room
				if err == nil {
					answered++
					time.Sleep(30 * time.Millisecond)
				} else {
					assert.ErrorIs(t, err, ErrBusy)
				}
				p.Leave()
			}()
		}
		synctest.Wait()
		assert.Zero(t, answered)
		enter(t, r, 1000).Leave() // at once, though 50 wait
		first.Leave()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.Equal(t, 34, answered, "in a second, one after the other; the rest were told to try again")
		enter(t, r, 10*mb).Leave()
	})
}

func TestARoomThatIsLeftWhileWaiting(t *testing.T) {
	r := New(10*mb, time.Hour)
	defer enter(t, r, 10*mb).Leave()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := r.Enter(ctx, 5*mb)
	assert.ErrorIs(t, err, context.Canceled)
}

// A request has what it was estimated to take, more where there is some, and all where it is alone.
func TestRoomGrows(t *testing.T) {
	r := New(10*mb, time.Second)
	small, large := enter(t, r, 1), enter(t, r, 4*mb)
	assert.Equal(t, int64(mb), small.Has())
	assert.Equal(t, int64(4*mb), small.Grow(3*mb), "and a step more, so that it need not ask again soon")
	assert.Equal(t, int64(4*mb), small.Grow(9*mb), "6 MB would be needed, and 3 are there")
	assert.Equal(t, int64(7*mb), large.Grow(6*mb))
	large.Keep(mb)
	assert.Equal(t, int64(mb), large.Has())
	small.Leave()
	assert.Equal(t, int64(enough), large.Grow(20*mb), "the whole room is whatever a request may take")
	large.Leave()
	large.Leave()
	assert.True(t, r.large.TryAcquire(10*mb))
	assert.True(t, r.small.TryAcquire(smallAtOnce))
}

var errStarved = errors.New("starved")

// What can be repeated begins again with all of the room; what cannot, and what panics, gives back what it has.
func TestBeginsAgainWithAllOfIt(t *testing.T) {
	r := New(10*mb, time.Second)
	var had []int64
	needsAll := func(p *Pass) error {
		had = append(had, p.Has())
		if p.Has() < enough {
			return errStarved
		}
		return nil
	}
	pass, err := r.Within(t.Context(), 1, true, errStarved, needsAll)
	require.NoError(t, err)
	assert.Equal(t, []int64{mb, enough}, had)
	_, err = r.Within(t.Context(), 2*mb, true, errStarved, needsAll)
	require.ErrorIs(t, err, ErrBusy, "the first has not given it back")
	pass.Leave()
	pass, err = r.Within(t.Context(), 1, false, errStarved, needsAll)
	require.ErrorIs(t, err, errStarved)
	pass.Leave()
	assert.Panics(t, func() { _, _ = r.Within(t.Context(), 2*mb, true, errStarved, func(*Pass) error { panic("x") }) })
	enter(t, r, 10*mb).Leave()
	assert.True(t, r.small.TryAcquire(smallAtOnce))
}
