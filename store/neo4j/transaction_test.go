package neo4j

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"mneme/store/linking"
)

// A read is sent with the bookmark of the last write, so that on a cluster it waits for it.
func TestReadsWaitForWrites(t *testing.T) {
	backend := mustConnect(t)
	tenant := freshStore(t, backend)
	bookmarks := func() neo4j.Bookmarks {
		marks, err := backend.connection.Driver.ExecuteQueryBookmarkManager().GetBookmarks(t.Context())
		require.NoError(t, err)
		return marks
	}
	before := bookmarks()
	mustRecord(t, tenant, draft("e1"))
	after := bookmarks()
	require.NotEmpty(t, after)
	require.NotEqual(t, before, after)
}

// Two transactions that lock each other's records: one fails, and runs again without the driver's pause.
func TestDeadlocksRunAgain(t *testing.T) {
	tenant := freshStore(t, mustConnect(t))
	mustRecord(t, tenant, draft("a"), draft("b"))
	s := storeOf(tenant)
	var attempts atomic.Int32
	var locked sync.WaitGroup // once both have their first
	locked.Add(2)
	lockBoth := func(first, second string) error {
		has := sync.OnceFunc(locked.Done)
		defer has()
		lock := func(tx *transaction, key string) error {
			one := linking.NewScope()
			one.Episodes.Add(key)
			_, err := tx.Lock(one)
			return err
		}
		return s.write(t.Context(), func(tx *transaction) error {
			attempts.Add(1)
			if err := lock(tx, first); err != nil {
				return err
			}
			has()
			locked.Wait()
			return lock(tx, second)
		})
	}
	start, done := time.Now(), make(chan error, 2)
	go func() { done <- lockBoth("a", "b") }()
	go func() { done <- lockBoth("b", "a") }()
	require.NoError(t, errors.Join(<-done, <-done))
	t.Logf("%d attempts in %s", attempts.Load(), time.Since(start).Round(time.Millisecond))
	require.GreaterOrEqual(t, attempts.Load(), int32(3), "one of them ran again")
}
