package neo4j

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
)

// With each change of its schema Neo4j forgets all plans, and making plans takes most of the tests' time: half a
// thousand statements, for a tenth of a second and more each. So the schema is changed before the tests, and after.

var (
	afterwards sync.Mutex
	cleared    sync.Once
)

// runAfterwards has a test that changes the schema run when the others are done, as what is parallel does, alone, and
// once their plans were looked at.
func runAfterwards(t *testing.T) {
	t.Helper()
	testneo4j.Reach(t)
	t.Parallel()
	afterwards.Lock()
	t.Cleanup(afterwards.Unlock)
	cleared.Do(func() {
		require.NoError(t, explainAll(t.Context()))
		testneo4j.Sweep(t) // examinations would go through it
	})
}
