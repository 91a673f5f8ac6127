package tenancy

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store"
)

// written gathers what a store is told, and refuses it while it is out of order.
type written struct {
	store.Records
	mu    sync.Mutex
	sum   map[string]int
	calls int
	fault error
}

func (w *written) Record(_ context.Context, records any) ([]store.Recorded, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls++
	accesses, _ := records.([]store.Access)
	for _, access := range accesses {
		if w.fault == nil {
			w.sum[access.Key] += access.Count
		}
	}
	return make([]store.Recorded, len(accesses)), w.fault
}

func newWritten() (*written, *accesses) {
	w := &written{sum: map[string]int{}}
	return w, newAccesses(w, time.Now, slog.New(slog.DiscardHandler))
}

// Reads within a window are one write; without reads there is none.
func TestAccessesGatherForAWindow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, a := newWritten()
		for range 3 {
			a.Note("a")
			a.Note("b")
		}
		time.Sleep(accessWindow)
		synctest.Wait()
		assert.Equal(t, 1, w.calls)
		time.Sleep(time.Hour)
		assert.Equal(t, 1, w.calls)
		a.Note("a")
		require.NoError(t, a.Flush(t.Context()))
		assert.Equal(t, map[string]int{"a": 4, "b": 3}, w.sum)
	})
}

// What could not be written is not lost, not counted twice, and not tried without a pause.
func TestAccessesWaitWhileNothingCanBeWritten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, a := newWritten()
		w.fault = errors.New("the disk is full")
		a.Note("a")
		time.Sleep(accessRetry)
		a.Note("a")
		require.ErrorIs(t, a.Flush(t.Context()), w.fault)
		synctest.Wait()
		assert.LessOrEqual(t, w.calls, 3)
		w.fault = nil
		time.Sleep(accessRetry)
		synctest.Wait()
		assert.Equal(t, map[string]int{"a": 2}, w.sum)
		require.NoError(t, a.Flush(t.Context()))
		assert.Equal(t, map[string]int{"a": 2}, w.sum)
	})
}
