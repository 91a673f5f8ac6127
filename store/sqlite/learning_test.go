package sqlite

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// mustExecute records executions of the agent "a" at "task", one a minute.
func (t *Tenant) mustExecute(tb testing.TB, count int) {
	tb.Helper()
	records := make([]store.ExecutionRecord, count)
	for i := range records {
		records[i].Execution = memory.Execution{
			Key: fmt.Sprint("x", i), AgentKey: "a", TaskType: "task", Success: true, Quality: 0.5, At: noon.Add(time.Duration(i) * time.Minute),
		}
	}
	recorded, err := store.Record(tb.Context(), t, records)
	require.NoError(tb, err)
	for _, r := range recorded {
		require.NoError(tb, r.Err)
	}
}

// What a profile is now stands in its own row, also where an instant is asked for that is not before its
// latest execution.
func TestPresentProfilesAreReadWithoutTheirExecutions(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	tenant.mustExecute(t, memory.WindowSize+10)
	tenant.change(t, `DELETE FROM executions`)
	latest := noon.Add((memory.WindowSize + 9) * time.Minute)
	for _, asOf := range []*time.Time{nil, &latest} {
		profiles, err := store.All(t.Context(), tenant, store.ProfilesOf{AsOf: asOf})
		require.NoError(t, err)
		require.Len(t, profiles, 1)
		assert.Equal(t, memory.WindowSize+10, profiles[0].Total)
		assert.Len(t, profiles[0].Window.At, memory.WindowSize)
		records, err := store.All(t.Context(), tenant, store.AgentRecordsOf{AsOf: asOf})
		require.NoError(t, err)
		require.Len(t, records, 1)
		assert.Equal(t, memory.WindowSize+10, records[0].Tasks[0].Total)
	}
	var damage store.Damage
	profiles, err := store.All(store.WithDamage(t.Context(), damage.Note), tenant, store.ProfilesOf{AsOf: new(latest.Add(-time.Millisecond))})
	require.NoError(t, err)
	assert.Empty(t, profiles)
	require.Len(t, damage.Found(), 1)
	assert.ErrorContains(t, damage.Found()[0], "the columns of the window")
}
