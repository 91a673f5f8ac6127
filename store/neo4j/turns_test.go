package neo4j

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store"
)

// One request that asks for hundreds of reads has some of them under way, and leaves the rest of the server to others.
func TestOneRequestHasNotAllReads(t *testing.T) {
	backend := mustConnect(t)
	s := storeOf(freshStore(t, backend))
	large, _, done := store.WithBudget(t.Context(), store.Limits{})
	defer done()
	const wanted = 3 * mostReadsOfOne
	var begun atomic.Int64
	began, end := make(chan struct{}, wanted), make(chan struct{})
	var group sync.WaitGroup
	for range wanted {
		group.Go(func() {
			_, err := read(large, backend, s.query(statement{"one", "RETURN 1 AS n"}, nil), func(*neo4j.Record) (int, error) {
				begun.Add(1)
				began <- struct{}{}
				<-end
				return 1, nil
			})
			assert.NoError(t, err)
		})
	}
	for range mostReadsOfOne {
		<-began
	}
	for range mostReads {
		_, err := s.count(t.Context(), s.query(statement{"other", "RETURN 1 AS n"}, nil))
		require.NoError(t, err)
	}
	assert.Equal(t, int64(mostReadsOfOne), begun.Load())
	close(end)
	group.Wait()
	assert.Equal(t, int64(wanted), begun.Load(), "all are read at last")
}
