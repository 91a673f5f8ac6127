package neo4j

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// Counted again, or gone since it was seen, an episode counts as it should.
func TestEpisodesAreCountedOnce(t *testing.T) {
	s := storeOf(freshStore(t, mustConnect(t)))
	keys := recordHistory(t, s, 12)
	before := whatIsLearnt(t, s)
	require.NoError(t, s.write(t.Context(), func(tx *transaction) error { return tx.learnRecorded(append(keys, "gone")) }))
	require.Equal(t, before, whatIsLearnt(t, s))
	requireSound(t, s)
}

// recordHistory records executions of three agents at two types of task, and episodes that are none.
func recordHistory(t *testing.T, s *tenantStore, count int) (keys []string) {
	t.Helper()
	records := []store.EpisodeRecord{draft("no type"), draft("open", func(r *store.EpisodeRecord) {
		r.Episode.TaskType, r.Episode.Outcome, r.Episode.Concluded = new("refund"), memory.OutcomeUnknown, false
	})}
	for i := range count {
		keys = append(keys, fmt.Sprintf("e%05d", i))
		records = append(records, draft(keys[i], func(r *store.EpisodeRecord) {
			e := &r.Episode
			e.AgentKey, e.TaskType, e.StartedAt = fmt.Sprint("agent ", i%3), new(fmt.Sprint("type ", i%2)), minute(i*7%1000)
			if i%5 == 0 {
				e.Outcome = memory.OutcomeFailure
			}
			if i%4 == 0 {
				e.Quality, e.EndedAt = new(float64(i)/float64(count)), new(minute(i*7%1000+i%9))
			}
		}))
	}
	mustRecord(t, s, records...)
	return keys
}

// learnt is what a tenant has learnt.
type learnt struct {
	profiles   []memory.LearningProfile
	executions []memory.Execution
}

func whatIsLearnt(t *testing.T, s *tenantStore) learnt {
	t.Helper()
	found, err := store.All(t.Context(), s, store.ProfilesOf{})
	require.NoError(t, err)
	learned := learnt{}
	for _, p := range found {
		learned.profiles = append(learned.profiles, *p)
		for _, archived := range []bool{false, true} {
			executions, _, err := store.List(t.Context(), s, store.ExecutionsOf{Agent: p.AgentKey, TaskType: p.TaskType, Archived: archived}, store.Page{Limit: 10_000})
			require.NoError(t, err)
			for _, e := range executions {
				learned.executions = append(learned.executions, *e)
			}
		}
	}
	return learned
}
