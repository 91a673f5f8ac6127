package neo4j

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"mneme/store/neo4j/graph"
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
	lockBoth := func(first, second string) error {
		return s.write(t.Context(), func(tx *transaction) error {
			attempts.Add(1)
			for _, key := range []string{first, second} {
				one := graph.NewScope()
				one.Episodes.Add(key)
				if _, err := graph.Lock(tx.Transaction, one); err != nil {
					return err
				}
				time.Sleep(20 * time.Millisecond)
			}
			return nil
		})
	}
	start, done := time.Now(), make(chan error, 2)
	go func() { done <- lockBoth("a", "b") }()
	go func() { done <- lockBoth("b", "a") }()
	require.NoError(t, errors.Join(<-done, <-done))
	t.Logf("%d attempts in %s", attempts.Load(), time.Since(start).Round(time.Millisecond))
	require.GreaterOrEqual(t, attempts.Load(), int32(3), "one of them ran again")
}
