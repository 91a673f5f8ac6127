package file

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store"
	"mneme/store/sqlite/db"
)

// One request that asks for more than there are readers leaves some to others, whatever of it is counted.
func TestOneRequestHasNotAllReaders(t *testing.T) {
	t.Parallel()
	file := openTenantFile(t, t.TempDir())
	require.NoError(t, file.Write(t.Context(), add("e1")))
	large, _, done := store.WithBudget(t.Context(), store.Limits{})
	defer done()
	began, end := make(chan struct{}), make(chan struct{})
	var group sync.WaitGroup
	for i := range 4 * readerLimit {
		ctx := large
		if i%2 == 1 {
			ctx = store.Unmetered(large)
		}
		group.Go(func() {
			assert.NoError(t, file.Read(ctx, func(*db.Conn) error {
				began <- struct{}{}
				<-end
				return nil
			}))
		})
	}
	<-began
	for range readerLimit { // more than would be free by chance
		small, _, done := store.WithBudget(t.Context(), store.Limits{})
		for _, ctx := range []context.Context{small, t.Context()} {
			ctx, cancel := context.WithTimeout(ctx, time.Minute) // rather than for ever, where it waits for the large one
			require.NoError(t, file.Read(ctx, func(*db.Conn) error { return nil }))
			cancel()
		}
		done()
	}
	go func() {
		for range 4*readerLimit - 1 {
			<-began
		}
	}()
	close(end)
	group.Wait()
}

// Where nobody waits for a long read any more, nothing is read after it.
func TestNothingIsReadOnceClosingGaveUp(t *testing.T) {
	t.Parallel()
	file := openTenantFile(t, t.TempDir())
	require.NoError(t, file.Write(t.Context(), add("e1")))
	began, end, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- file.Read(t.Context(), func(*db.Conn) error {
			close(began)
			<-end
			return nil
		})
	}()
	<-began
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	require.ErrorIs(t, file.directory.Close(ctx), context.DeadlineExceeded)
	close(end)
	require.NoError(t, <-done)
	assert.ErrorIs(t, file.Read(t.Context(), func(*db.Conn) error { return nil }), ErrClosed)
}
