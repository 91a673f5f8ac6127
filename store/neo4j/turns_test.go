package neo4j

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// One request that asks for hundreds of reads has some of them under way, and leaves the rest of the server to others.
func TestOneRequestHasNotAllReads(t *testing.T) {
	backend := mustConnect(t)
	s := storeOf(freshStore(t, backend))
	large, _, done := store.WithBudget(t.Context(), store.Limits{})
	defer done()
	const wanted = 3 * maxReadsOfOne
	var begun atomic.Int64
	began, end := make(chan struct{}, wanted), make(chan struct{})
	var group sync.WaitGroup
	for range wanted {
		group.Go(func() {
			_, err := bolt.Read(large, backend.connection, s.Query(cypher.Statement{Name: "one", Text: "RETURN 1 AS n"}, nil), func(*bolt.Fields) int {
				begun.Add(1)
				began <- struct{}{}
				<-end
				return 1
			})
			assert.NoError(t, err)
		})
	}
	for range maxReadsOfOne {
		<-began
	}
	for range maxReadsAtOnce {
		_, err := s.Number(t.Context(), s.Query(cypher.Statement{Name: "other", Text: "RETURN 1 AS n"}, nil))
		require.NoError(t, err)
	}
	assert.Equal(t, int64(maxReadsOfOne), begun.Load())
	close(end)
	group.Wait()
	assert.Equal(t, int64(wanted), begun.Load(), "all are read at last")
}
