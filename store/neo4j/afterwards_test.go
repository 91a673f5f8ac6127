package neo4j

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
)

// With each change of its schema Neo4j forgets all plans, and most of what tests take of it is making plans: half a
// thousand statements, for a tenth of a second and more each. So the schema is changed before the tests, and after them.

// vectorLengths are those of the vectors in tests, but for the one whose index a test makes.
var vectorLengths = []int{2, 3, 4, 5}

var prepared sync.Once

// Prepare makes the indexes that tests would make as they come to need them.
func (b *Backend) Prepare(t testing.TB) {
	t.Helper()
	prepared.Do(func() {
		for _, length := range vectorLengths {
			require.NoError(t, b.defineVectors(t.Context(), length))
		}
		b.indexed.Clear() // which tests learn for themselves
	})
}

var (
	afterwards sync.Mutex
	cleared    sync.Once
)

// runAfterwards has a test that changes the schema run when the others are done, as what is parallel does, alone, and once
// their plans were looked at.
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
