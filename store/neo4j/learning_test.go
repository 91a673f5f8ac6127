package neo4j

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
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
	recorded, err := s.RecordExecutions(t.Context(), records)
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
	profiles, err := s.Profiles(t.Context(), store.ProfileFilter{TaskTypes: []string{"refund"}})
	ok := check(t, err == nil && len(profiles) == 1, "%v", err)
	if !ok {
		return false
	}
	p := profiles[0]
	for i, at := range p.Window.At {
		n := p.Total - memory.WindowSize + i
		ok = ok && check(t, at == minute(n).UnixMilli() && p.Window.Quality[i] == float64(n%1000)/1000, "at %d of %d: %d", i, p.Total, at)
	}
	records, err := s.AgentRecords(t.Context(), store.AgentRecordsOf{})
	ok = ok && check(t, err == nil && records[0].Tasks[0].Successful == (records[0].Tasks[0].Total+1)/2, "%v: %+v", err, records)
	first := worked(p.Total - memory.WindowSize).Execution // about to be archived
	found, err := s.Executions(t.Context(), []string{first.Key})
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

// A change of anything that a seal covers changes it, and those that cover more.
func TestSealsCoverWhatTheySeal(t *testing.T) {
	profile := func() *memory.LearningProfile {
		p := &memory.LearningProfile{AgentKey: "a", TaskType: "t"}
		for n := range 3 {
			p.Add(worked(n).Execution)
		}
		return p
	}
	seals := func(p *memory.LearningProfile) [3]int64 {
		return [3]int64{countersSealOf(p), sealOf(p), wholeSealOf(p)}
	}
	before := seals(profile())
	require.Equal(t, before, seals(profile()))
	for name, test := range map[string]struct {
		from   int // the first seal that changes
		change func(*memory.LearningProfile)
	}{
		"total":      {0, func(p *memory.LearningProfile) { p.Total++ }},
		"successful": {0, func(p *memory.LearningProfile) { p.Successful++ }},
		"quality":    {0, func(p *memory.LearningProfile) { p.QualityBillionths++ }},
		"latency":    {0, func(p *memory.LearningProfile) { p.LatencyMicros++ }},
		"timed":      {0, func(p *memory.LearningProfile) { p.Timed++ }},
		"times":      {1, func(p *memory.LearningProfile) { p.Window.At[1]++ }},
		"qualities":  {1, func(p *memory.LearningProfile) { p.Window.Quality[2] = 0.7 }},
		"fewer":      {1, func(p *memory.LearningProfile) { p.Window.Quality = p.Window.Quality[:2] }},
		"keys":       {2, func(p *memory.LearningProfile) { p.Window.Keys[0] = "other" }},
		"success":    {2, func(p *memory.LearningProfile) { p.Window.Success[0] = !p.Window.Success[0] }},
		"latencies":  {2, func(p *memory.LearningProfile) { p.Window.LatencyMs[0] = 0 }},
	} {
		p := profile()
		test.change(p)
		for i, seal := range seals(p) {
			require.Equal(t, i < test.from, seal == before[i], "%s, seal %d", name, i)
		}
	}
}

// A ranking reads a node for each profile, and no execution; the archive is read from its index, a page at
// a time.
func TestLearningIsReadFromIndexes(t *testing.T) {
	s := storeOf(freshStore(t, mustConnect(t)))
	mustWork(t, s, 0, 1000)
	asOf := minute(990)
	archived := s.query(named("list_archived"), archiveParameters(
		memory.ProfileKey("agent", "refund"), &store.Position{At: minute(500), Key: worked(500).Execution.Key}, 20))
	ranking := s.profileQuery(profileShape{TaskTypes: true}, store.ProfileFilter{TaskTypes: []string{"refund"}})
	known := s.profileQuery(profileShape{Agents: true}, store.ProfileFilter{Agents: []string{"agent"}})
	all := s.profileQuery(profileShape{}, store.ProfileFilter{})
	past := s.profileQuery(profileShape{AsOf: true, Whole: true}, store.ProfileFilter{AsOf: &asOf})
	for name, test := range map[string]struct {
		query query
		most  int64
	}{
		"a ranking": {ranking, 1}, "an agent's": {known, 1}, "all": {all, 1}, "as of an instant": {past, memory.WindowSize},
		"the archive": {archived, 21},
	} {
		rows, steps := most(profile(t, s, test.query))
		require.LessOrEqual(t, rows, test.most, "%s: %v", name, steps)
		require.NotContains(t, steps, "Sort", name)
		require.NotContains(t, steps, "NodeByLabelScan", name)
	}
}
