package neo4j

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
)

// worked is the nth execution of an agent, one a minute; all of it follows from n.
func worked(n int) store.ExecutionRecord {
	return store.ExecutionRecord{InputHash: []byte("x"), Execution: memory.Execution{
		Key: fmt.Sprintf("execution %06d", n), AgentKey: "agent", TaskType: "refund", Success: n%2 == 0,
		Quality: float64(n%1000) / 1000, At: minute(n),
	}}
}

func mustWork(t testing.TB, s *tenantStore, from, to int) {
	t.Helper()
	var records []store.ExecutionRecord
	for n := from; n < to; n++ {
		records = append(records, worked(n))
	}
	recorded, err := store.Record(t.Context(), s, records)
	require.NoError(t, err)
	requireCreated(t, recorded)
}

// What a reader sees of a profile is of one write, though its properties are read one by one.
func TestProfilesAreReadWhole(t *testing.T) {
	s := storeOf(freshStore(t, mustConnect(t)))
	mustWork(t, s, 0, memory.WindowSize)
	var group sync.WaitGroup
	var done atomic.Bool
	for range 2 {
		group.Go(func() {
			for !done.Load() && readWhole(t, s) {
			}
		})
	}
	for n := range 200 {
		mustWork(t, s, memory.WindowSize+n, memory.WindowSize+n+1)
	}
	done.Store(true)
	group.Wait()
	requireSound(t, s)
}

// readWhole reads what there is of the profile in every way and compares it with what follows from the
// number of executions.
func readWhole(t *testing.T, s *tenantStore) bool {
	t.Helper()
	profiles, err := store.All(t.Context(), s, store.ProfilesOf{TaskTypes: []string{"refund"}})
	ok := check(t, err == nil && len(profiles) == 1, "%v", err)
	if !ok {
		return false
	}
	p := profiles[0]
	for i, at := range p.Window.At {
		n := p.Total - memory.WindowSize + i
		ok = ok && check(t, at == minute(n).UnixMilli() && p.Window.Quality[i] == float64(n%1000)/1000, "at %d of %d: %d", i, p.Total, at)
	}
	records, err := store.All(t.Context(), s, store.AgentRecordsOf{})
	ok = ok && check(t, err == nil && records[0].Tasks[0].Successful == (records[0].Tasks[0].Total+1)/2, "%v: %+v", err, records)
	first := worked(p.Total - memory.WindowSize).Execution // about to be archived
	found, err := store.Get[memory.Execution](t.Context(), s, []string{first.Key})
	if ok = ok && check(t, err == nil && found[0] != nil, "%v", err); ok {
		found[0].Archived = false
		ok = check(t, *found[0] == first, "%+v", found[0])
	}
	return ok
}

// check is an assertion for goroutines of a test.
func check(t *testing.T, holds bool, format string, values ...any) bool {
	t.Helper()
	if !holds {
		t.Errorf(format, values...)
	}
	return holds
}

// A ranking reads a node for each profile, and no execution; the archive is read from its index, a page at a time.
func TestLearningIsReadFromIndexes(t *testing.T) {
	s := storeOf(freshStore(t, mustConnect(t)))
	mustWork(t, s, 0, 1000)
	profiles := func(filter store.ProfilesOf) bolt.Query {
		return sentBy(s, func() {
			found, err := store.All(t.Context(), s, filter)
			require.NoError(t, err)
			require.Len(t, found, 1)
		})
	}
	archived := sentBy(s, func() {
		found, _, err := store.List(t.Context(), s, store.ExecutionsOf{Agent: "agent", TaskType: "refund", Archived: true}, store.Page{
			Limit: 19, After: &store.Position{At: minute(500), Key: worked(500).Execution.Key},
		})
		require.NoError(t, err)
		require.Len(t, found, 19)
	})
	for name, test := range map[string]struct {
		query bolt.Query
		most  int64
	}{
		"a ranking":        {profiles(store.ProfilesOf{TaskTypes: []string{"refund"}}), 1},
		"an agent's":       {profiles(store.ProfilesOf{Agents: []string{"agent"}}), 1},
		"all":              {profiles(store.ProfilesOf{}), 1},
		"as of an instant": {profiles(store.ProfilesOf{AsOf: new(minute(990))}), memory.WindowSize},
		"the archive":      {archived, memory.WindowSize},
	} {
		rows, steps := most(profile(t, s, test.query))
		require.LessOrEqual(t, rows, test.most, "%s: %v", name, steps)
		require.NotContains(t, steps, "Sort", name)
		require.NotContains(t, steps, "NodeByLabelScan", name)
	}
}
