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
