package tenancy

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestSweeperWorksOnceAtATime(t *testing.T) {
	t.Parallel()
	var running, most, sweeps atomic.Int32
	working, release := make(chan struct{}), make(chan struct{})
	w := newSweeper(func(context.Context) (bool, error) {
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		if sweeps.Add(1) == 1 {
			close(working)
			<-release
		}
		return false, nil
	}, time.Millisecond, slog.New(slog.DiscardHandler))
	w.Wake()
	<-working
	w.Wake()
	time.Sleep(20 * time.Millisecond)
	assert.Equal(t, int32(1), sweeps.Load())
	close(release)
	assert.Eventually(t, func() bool { return sweeps.Load() == 2 }, time.Minute, time.Millisecond, "what arrived meanwhile is looked at")
	w.Stop()
	assert.Equal(t, int32(1), most.Load())
}

func TestSweeperStopsWhileItWorks(t *testing.T) {
	t.Parallel()
	working := make(chan struct{})
	var sweeps atomic.Int32
	w := newSweeper(func(ctx context.Context) (bool, error) {
		sweeps.Add(1)
		close(working)
		<-ctx.Done()
		return true, ctx.Err()
	}, time.Millisecond, slog.New(slog.DiscardHandler))
	w.Wake()
	<-working
	w.Stop()
	w.Wake()
	w.working.Wait()
	assert.Equal(t, int32(1), sweeps.Load(), "none begins any more")
}
