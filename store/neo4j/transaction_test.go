package neo4j

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"mneme/store"
)

// A read is sent with the bookmark of the last write, so that on a cluster it waits for it.
func TestReadsWaitForWrites(t *testing.T) {
	backend := mustConnect(t)
	tenant := freshStore(t, backend)
	bookmarks := func() neo4j.Bookmarks {
		marks, err := backend.driver.ExecuteQueryBookmarkManager().GetBookmarks(t.Context())
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
				one := newScope()
				one.episodes.add(key)
				if _, err := tx.lock(one); err != nil {
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

func TestRacesAreTold(t *testing.T) {
	for code, want := range map[string]bool{
		"Neo.TransientError.Transaction.DeadlockDetected":       true,
		"Neo.ClientError.Statement.EntityNotFound":              true,
		"Neo.ClientError.Schema.ConstraintValidationFailed":     true,
		"Neo.ClientError.Statement.SyntaxError":                 false,
		"Neo.TransientError.General.MemoryPoolOutOfMemoryError": false,
	} {
		var race *raced
		cause := fmt.Errorf("wrapped: %w", &neo4j.Neo4jError{Code: code})
		require.Equal(t, want, errors.As(asRaced(cause), &race), code)
	}
	require.False(t, neo4j.IsRetryable(asRaced(&neo4j.Neo4jError{Code: "Neo.TransientError.Transaction.DeadlockDetected"})),
		"the driver does not pause for it")
}

func TestFaultsAreInTheWordsOfTheContract(t *testing.T) {
	b := &Backend{address: "neo4j://there"}
	connectivity := &neo4j.ConnectivityError{Inner: errors.New("refused")}
	require.NoError(t, b.fault(t.Context(), nil))
	require.ErrorIs(t, b.fault(t.Context(), connectivity), store.ErrUnavailable)
	require.ErrorContains(t, b.fault(t.Context(), connectivity), "neo4j://there")
	require.ErrorIs(t, b.fault(t.Context(), store.ErrConflict), store.ErrConflict)
	require.NotErrorIs(t, b.fault(t.Context(), errors.New("else")), store.ErrUnavailable)

	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, b.fault(canceled, connectivity), context.Canceled)
	require.Equal(t, context.Canceled, b.fault(canceled, context.Canceled))
}
