package neo4j_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// recordWork records executions of ten agents, 130 each, and gives their keys.
func recordWork(t *testing.T, learning store.Store) (keys []string) {
	t.Helper()
	var records []store.ExecutionRecord
	for i := range 1300 {
		keys = append(keys, fmt.Sprintf("x%04d", i))
		records = append(records, store.ExecutionRecord{Execution: memory.Execution{
			Key: keys[i], AgentKey: fmt.Sprint("agent ", i%10), TaskType: "refund", Success: true, Quality: 1,
			At: day.Add(time.Duration(i) * time.Minute),
		}})
	}
	_, err := store.Record(t.Context(), learning, records)
	require.NoError(t, err)
	return keys
}

func TestLearningTakesFewRoundTrips(t *testing.T) {
	trips := &roundTrips{}
	learning := freshTenant(t, open(t, trips.note))
	var keys []string
	require.Equal(t, []string{"lock_profiles", "learn"}, trips.during(func() { keys = recordWork(t, learning) }))
	recordMany(t, learning, 3)
	asOf, page := day.Add(1000*time.Minute), store.Page{Limit: 20}

	for name, read := range map[string]func() error{
		"profiles": func() error {
			found, err := store.All(t.Context(), learning, store.ProfilesOf{TaskTypes: []string{"refund"}})
			require.Len(t, found, 10)
			return err
		},
		"profiles as of an instant": func() error {
			found, err := store.All(t.Context(), learning, store.ProfilesOf{AsOf: &asOf})
			require.Equal(t, 101, found[0].Total)
			return err
		},
		"executions": func() error {
			found, err := store.Get[memory.Execution](t.Context(), learning, keys)
			require.Len(t, found, len(keys))
			require.True(t, found[0].Archived)
			return err
		},
		"a window": func() error {
			_, _, err := store.List(t.Context(), learning, store.ExecutionsOf{Agent: "agent 1", TaskType: "refund"}, page)
			return err
		},
		"an archive": func() error {
			_, more, err := store.List(t.Context(), learning, store.ExecutionsOf{Agent: "agent 1", TaskType: "refund", Archived: true}, page)
			require.True(t, more)
			return err
		},
		"records of agents": func() error {
			found, err := store.All(t.Context(), learning, store.AgentRecordsOf{})
			require.Len(t, found, 11)
			return err
		},
		"outcomes of episodes": func() error {
			found, _, err := store.List(t.Context(), learning, store.OutcomesOf{}, page)
			require.Len(t, found, 3)
			return err
		},
	} {
		require.Len(t, trips.during(func() { require.NoError(t, read()) }), 1, name)
	}
}
