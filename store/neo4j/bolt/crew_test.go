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

// transactions is a crew whose transactions are kept, and wait until they are let go.
type transactions struct {
	Crew[string, store.Recorded]
	began chan []string
	letGo chan struct{}
}

var errRefused = errors.New("refused")

func newTransactions() *transactions {
	t := &transactions{began: make(chan []string, 100), letGo: make(chan struct{})}
	t.Most, t.AtOnce = 200, 4
	t.Do = func(_ context.Context, records []string) ([]store.Recorded, error) {
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
		t.mu.Lock()
		waiting := len(t.waiting)
		t.mu.Unlock()
		if waiting == calls {
			return
		}
		runtime.Gosched()
	}
}

// busy has as many transactions begin as there may be at once.
func (t *transactions) busy(test *testing.T, group *sync.WaitGroup) {
	test.Helper()
	for i := range t.AtOnce {
		record := fmt.Sprint("first ", i)
		group.Go(func() {
			_, err := t.Ask(context.Background(), record)
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
			recorded, err := writes.Ask(t.Context(), records...)
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
			recorded, err := writes.Ask(t.Context(), record)
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
		_, err := writes.Ask(ctx, "given up")
		left <- err
	})
	writes.queued(1)
	leave()
	require.ErrorIs(t, <-left, context.Canceled)
	_, err := writes.Ask(ctx, "too late")
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
			_, err := writes.Ask(ctx, record)
			if record == "given up" {
				left <- err
			}
		})
	}
	writes.queued(2)
	for range writes.AtOnce { // the first ones end, and the two begin
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
	assert.Equal(t, deadline, earliestDeadline([]context.Context{t.Context(), soon}))
	assert.WithinDuration(t, time.Now().Add(WriteTime), earliestDeadline([]context.Context{t.Context()}), time.Minute)
}

func TestABatchIsATransactionOfItsOwn(t *testing.T) {
	writes := newTransactions()
	var group sync.WaitGroup
	writes.busy(t, &group)
	group.Go(func() {
		_, err := writes.Ask(t.Context(), make([]string, writes.Most)...)
		assert.NoError(t, err)
	})
	require.Len(t, <-writes.began, writes.Most, "it waits for nobody")
	close(writes.letGo)
	group.Wait()
}

// Where a reserve is wanted, fewer exchanges have more items.
func TestManyReadersShareAFewExchanges(t *testing.T) {
	var mu sync.Mutex
	var most, underWay int
	c := &Crew[string, string]{Most: 100, AtOnce: 8, Reserve: 16, Do: func(_ context.Context, keys []string) ([]string, error) {
		mu.Lock()
		underWay++
		most = max(most, underWay)
		mu.Unlock()
		defer func() { mu.Lock(); underWay--; mu.Unlock() }()
		if len(keys) > 100 {
			return nil, errors.New("too many keys")
		}
		return keys, nil
	}}
	var readers sync.WaitGroup
	for reader := range 300 {
		readers.Go(func() {
			for i := range 50 {
				key := string(rune('a' + (reader+i)%26))
				values, err := c.Ask(t.Context(), key)
				if err != nil || values[0] != key {
					t.Errorf("%s answered %v, %v", key, values, err)
				}
			}
		})
	}
	readers.Wait()
	require.LessOrEqual(t, most, 8)
	for underWay := 1; underWay > 0; runtime.Gosched() { // the last worker may not have seen yet that nobody waits
		c.mu.Lock()
		require.Empty(t, c.waiting)
		underWay = c.underWay
		c.mu.Unlock()
	}
}

// Who leaves hears of it at once, and ends no exchange that others wait for; nor does an exchange of reads know of any
// request, even if it is of one alone.
func TestReadersLeaveAlone(t *testing.T) {
	type request struct{}
	began, letGo := make(chan struct{}), make(chan struct{})
	c := &Crew[string, string]{Most: 100, AtOnce: 1, Within: time.Minute, Do: func(ctx context.Context, keys []string) ([]string, error) {
		if ctx.Value(request{}) != nil {
			return nil, errors.New("it is of a request")
		}
		began <- struct{}{}
		<-letGo
		return keys, ctx.Err()
	}}
	ctx, leave := context.WithCancel(context.WithValue(t.Context(), request{}, true))
	defer leave()
	var readers sync.WaitGroup
	ask := func(ctx context.Context, wanted error) {
		readers.Go(func() {
			_, err := c.Ask(ctx, "a")
			assert.ErrorIs(t, err, wanted)
		})
	}
	ask(t.Context(), nil)
	<-began
	left := make(chan error, 1)
	go func() {
		_, err := c.Ask(ctx, "b")
		left <- err
	}()
	ask(t.Context(), nil)
	for waiting := 0; waiting < 2; runtime.Gosched() {
		c.mu.Lock()
		waiting = len(c.waiting)
		c.mu.Unlock()
	}
	letGo <- struct{}{}
	<-began // the other two
	leave()
	require.ErrorIs(t, <-left, context.Canceled)
	close(letGo)
	readers.Wait()
}
