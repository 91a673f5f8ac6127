package room

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Clients that do not take their answers keep the room until others wait for it.
func TestAnswersThatAreNotTakenMakeRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(10*mb, 10*time.Second)
		ended := 0
		for range smallAtOnce {
			p := enter(t, r, 1)
			p.Writing(mb, func() { ended++; go p.Leave() })
		}
		large := enter(t, r, 10*mb)
		large.Writing(8*mb, func() { ended += 1000; go large.Leave() })
		time.Sleep(time.Minute)
		assert.Zero(t, ended, "nobody waits")
		for i := range 3 {
			enter(t, r, 1).Writing(mb, func() { t.Error("it has just begun") })
			assert.Equal(t, i+1, ended, "one for each that waits")
		}
		enter(t, r, 2*mb)
		assert.Equal(t, 1003, ended)
	})
}

// An answer that is being taken has its time, whoever waits; what is still read for is not ended.
func TestAnswersHaveTheirTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(10*mb, 10*time.Second)
		began := time.Now()
		first := enter(t, r, 5*mb)
		enter(t, r, 5*mb)
		first.Writing(8*mb, func() { go first.Leave() })
		enter(t, r, 5*mb)
		assert.InDelta(t, 3, time.Since(began).Seconds(), 0.2, "a second, and two for 8 MB")
		_, err := r.Enter(t.Context(), 5*mb)
		require.ErrorIs(t, err, ErrBusy)
	})
}

// An answer of a request that was small at first and grew keeps others of its size waiting, and small ones too.
func TestAnswersThatGrewMakeRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(8*mb, 10*time.Second)
		grew := func(ended *bool) {
			p := enter(t, r, 10)
			p.Grow(8 * mb)
			p.Keep(8 * mb)
			p.Writing(8*mb, func() { *ended = true; go p.Leave() })
		}
		var first, second bool
		grew(&first)
		enter(t, r, 4*mb).Leave()
		assert.True(t, first, "for its bytes")
		grew(&second)
		for range smallAtOnce {
			enter(t, r, 10)
		}
		assert.True(t, second, "for its place")
	})
}

// What a place covers of an answer takes nothing of the rest of the room.
func TestAnAnswerKeepsItsPlaceFirst(t *testing.T) {
	r := New(8*mb, time.Second)
	p := enter(t, r, 10)
	p.Grow(8 * mb)
	p.Keep(3 * mb)
	assert.Equal(t, int64(3*mb), p.Has())
	p.Keep(mb)
	enter(t, r, 8*mb).Leave()
	p.Leave()
	assert.True(t, r.small.TryAcquire(smallAtOnce))
}

// However many wait, each answer is looked at once, whether some are overdue or none is.
func TestEachAnswerIsLookedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const many = 900
		r, places, others := New(8*mb, time.Second), 0, 0
		for range many {
			(&Pass{room: r, place: true}).Writing(mb, func() { places++ })
			(&Pass{room: r, bytes: 1}).Writing(mb, func() { others++ })
		}
		s := &r.slow
		s.looking = true
		look := func() int {
			s.mu.Lock()
			s.looked, s.waiting = 0, map[bool]int{true: many - 1, false: many - 2}
			s.mu.Unlock()
			s.look()
			s.mu.Lock()
			defer s.mu.Unlock()
			clear(s.waiting)
			return s.looked
		}
		assert.LessOrEqual(t, look(), 2*many)
		assert.Zero(t, places+others)
		time.Sleep(2 * time.Second)
		assert.LessOrEqual(t, look(), 2*many)
		assert.Equal(t, []int{many - 1, many - 2}, []int{places, others}, "one for each that waits")
	})
}
