package bolt

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"mneme/store"
)

func TestRacesAreTold(t *testing.T) {
	for code, want := range map[string]bool{
		"Neo.TransientError.Transaction.DeadlockDetected":       true,
		"Neo.ClientError.Statement.EntityNotFound":              true,
		"Neo.ClientError.Schema.ConstraintValidationFailed":     true,
		"Neo.ClientError.Statement.SyntaxError":                 false,
		"Neo.TransientError.General.MemoryPoolOutOfMemoryError": false,
	} {
		var race *Raced
		cause := fmt.Errorf("wrapped: %w", &neo4j.Neo4jError{Code: code})
		require.Equal(t, want, errors.As(asRaced(cause), &race), code)
	}
	require.False(t, neo4j.IsRetryable(asRaced(&neo4j.Neo4jError{Code: "Neo.TransientError.Transaction.DeadlockDetected"})),
		"the driver does not pause for it")
}

func TestFaultsAreInTheWordsOfTheContract(t *testing.T) {
	b := &Connection{Address: "neo4j://there"}
	connectivity := &neo4j.ConnectivityError{Inner: errors.New("refused")}
	require.NoError(t, b.Fault(t.Context(), nil))
	require.ErrorIs(t, b.Fault(t.Context(), connectivity), store.ErrUnavailable)
	require.ErrorContains(t, b.Fault(t.Context(), connectivity), "neo4j://there")
	require.ErrorIs(t, b.Fault(t.Context(), store.ErrConflict), store.ErrConflict)
	require.NotErrorIs(t, b.Fault(t.Context(), errors.New("else")), store.ErrUnavailable)

	memory := &neo4j.Neo4jError{Code: "Neo.TransientError.General.MemoryPoolOutOfMemoryError"}
	require.ErrorIs(t, b.Fault(t.Context(), memory), store.ErrTooMuch)
	require.ErrorIs(t, b.Fault(t.Context(), &neo4j.TransactionExecutionLimit{Cause: "timeout", Errors: []error{connectivity, memory}}), store.ErrTooMuch)
	require.ErrorIs(t, b.Fault(t.Context(), &neo4j.TransactionExecutionLimit{Cause: "timeout", Errors: []error{memory, connectivity}}), store.ErrUnavailable)

	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, b.Fault(canceled, connectivity), context.Canceled)
	require.Equal(t, context.Canceled, b.Fault(canceled, context.Canceled))
}
