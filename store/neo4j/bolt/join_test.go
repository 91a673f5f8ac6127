package bolt

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store"
)

// transactions is a joiner whose transactions are kept, and wait until they are let go.
type transactions struct {
	Joiner[string]
	began chan []string
	letGo chan struct{}
}

var errRefused = errors.New("refused")

func newTransactions() *transactions {
	t := &transactions{began: make(chan []string, 100), letGo: make(chan struct{})}
	t.Write = func(_ context.Context, records []string) ([]store.Recorded, error) {
		t.began <- slices.Clone(records)
		<-t.letGo
		recorded := make([]store.Recorded, len(records))
		for i, record := range records {
			switch record {
			case "bad":
				return nil, errRefused
			case "worse":
				panic("amid a write")
			}
			recorded[i] = store.Recorded{Key: record, Created: true}
		}
		return recorded, nil
	}
	return t
}

// queued waits until so many calls wait.
func (t *transactions) queued(calls int) {
	for {
		t.crew.mu.Lock()
		waiting := len(t.crew.waiting)
		t.crew.mu.Unlock()
		if waiting == calls {
			return
		}
		runtime.Gosched()
	}
}

// busy has as many transactions begin as there may be at once.
func (t *transactions) busy(test *testing.T, group *sync.WaitGroup) {
	test.Helper()
	for i := range maxJoining {
		record := fmt.Sprint("first ", i)
		group.Go(func() {
			_, err := t.Record(context.Background(), []string{record})
			assert.NoError(test, err)
		})
		require.Equal(test, []string{record}, <-t.began, "nobody waits where there is room")
	}
}

func TestWritesAtTheSameTimeGoTogether(t *testing.T) {
	writes := newTransactions()
	var group sync.WaitGroup
	writes.busy(t, &group)
	for i := range 50 {
		records := []string{fmt.Sprint(i, "a"), fmt.Sprint(i, "b")}
		group.Go(func() {
			recorded, err := writes.Record(t.Context(), records)
			if assert.NoError(t, err) && assert.Len(t, recorded, 2) {
				assert.Equal(t, records, []string{recorded[0].Key, recorded[1].Key}, "each gets its own")
			}
		})
	}
	writes.queued(50)
	close(writes.letGo)
	group.Wait()
	require.Len(t, <-writes.began, 100)
	require.Empty(t, writes.began)
}

func TestWhatCannotBeWrittenFailsAlone(t *testing.T) {
	writes := newTransactions()
	var group sync.WaitGroup
	writes.busy(t, &group)
	for _, record := range []string{"good", "bad", "better", "worse", "best"} {
		group.Go(func() {
			recorded, err := writes.Record(t.Context(), []string{record})
			switch record {
			case "bad":
				assert.ErrorIs(t, err, errRefused)
			case "worse":
				assert.ErrorContains(t, err, "amid a write")
			default:
				assert.NoError(t, err)
				assert.Equal(t, []store.Recorded{{Key: record, Created: true}}, recorded)
			}
		})
	}
	writes.queued(5)
	close(writes.letGo)
	group.Wait()
	require.Len(t, <-writes.began, 5)
	require.Len(t, writes.began, 5, "each alone")
}

func TestAWriteThatIsGivenUpIsNotWritten(t *testing.T) {
	writes := newTransactions()
	var group sync.WaitGroup
	writes.busy(t, &group)
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	group.Go(func() {
		_, err := writes.Record(ctx, []string{"given up"})
		left <- err
	})
	writes.queued(1)
	leave()
	require.ErrorIs(t, <-left, context.Canceled)
	_, err := writes.Record(ctx, []string{"too late"})
	require.ErrorIs(t, err, context.Canceled)
	close(writes.letGo)
	group.Wait()
	writes.queued(0)
	require.Empty(t, writes.began)
}

// Who gives up a write that is under way hears what became of it, once nothing of it can come any more.
func TestAWriteThatIsUnderWayIsWaitedFor(t *testing.T) {
	writes := newTransactions()
	var group sync.WaitGroup
	writes.busy(t, &group)
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	for _, record := range []string{"given up", "kept"} {
		group.Go(func() {
			_, err := writes.Record(ctx, []string{record})
			if record == "given up" {
				left <- err
			}
		})
	}
	writes.queued(2)
	for range maxJoining { // the first ones end, and the two begin
		writes.letGo <- struct{}{}
	}
	require.Len(t, <-writes.began, 2)
	leave()
	for range 1000 {
		runtime.Gosched()
	}
	require.Empty(t, left, "it is under way")
	close(writes.letGo)
	group.Wait()
	require.NoError(t, <-left)
}

func TestWritesTogetherEndWithTheFirstDeadline(t *testing.T) {
	soon, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	deadline, _ := soon.Deadline()
	assert.Equal(t, deadline, earliestDeadline([]*joined[string]{{ctx: t.Context()}, {ctx: soon}}))
	assert.WithinDuration(t, time.Now().Add(WriteTime), earliestDeadline([]*joined[string]{{ctx: t.Context()}}), time.Minute)
}

func TestABatchIsATransactionOfItsOwn(t *testing.T) {
	writes := newTransactions()
	var group sync.WaitGroup
	writes.busy(t, &group)
	group.Go(func() {
		_, err := writes.Record(t.Context(), make([]string, maxJoined))
		assert.NoError(t, err)
	})
	require.Len(t, <-writes.began, maxJoined, "it waits for nobody")
	close(writes.letGo)
	group.Wait()
}
