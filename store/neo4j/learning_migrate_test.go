package neo4j

import (
	"crypto/rand"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/cypher"
)

// Episodes that version 2 wrote are counted as today's are, also where a migration was interrupted.
func TestEpisodesOfVersion2AreCounted(t *testing.T) {
	keeper := mustConnect(t)
	name, s := "test-"+rand.Text(), storeOf(freshStore(t, keeper))
	defer runCypher[any](t, keeper, "MATCH (s:MnemeSchema {name: $name}) DELETE s", cypher.Parameters{"name": name})
	keys := recordHistory(t, s, 2*lessonSize+10)
	before := whatIsLearnt(t, s)
	require.Len(t, before.profiles, 6)
	require.Len(t, before.executions, 2*lessonSize+10)

	values := cypher.Parameters{"tenant": s.TenantID, "name": name}
	runCypher[any](t, keeper, "MATCH (n:Execution|LearningProfile {tenant: $tenant}) DETACH DELETE n", values)
	runCypher[any](t, keeper, "CREATE (:MnemeSchema {name: $name, version: 2})", values)
	require.Zero(t, whatIsLearnt(t, s))
	require.NoError(t, s.write(t.Context(), func(tx *transaction) error { return tx.learnRecorded(keys[300:400]) }))
	for range 2 { // the second time there is nothing to do
		migrated, err := connect(t, name)
		require.NoError(t, err)
		require.NoError(t, migrated.Close(t.Context()))
		require.Equal(t, before, whatIsLearnt(t, s))
	}
	require.Equal(t, []int64{schemaVersion}, runCypher[int64](t, keeper, "MATCH (s:MnemeSchema {name: $name}) RETURN s.version", values))
	requireSound(t, s)
}

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
	found, err := s.Profiles(t.Context(), store.ProfileFilter{})
	require.NoError(t, err)
	learned := learnt{}
	for _, p := range found {
		learned.profiles = append(learned.profiles, *p)
		for _, archived := range []bool{false, true} {
			executions, _, err := s.ListExecutions(t.Context(), store.ExecutionsOf{
				Agent: p.AgentKey, TaskType: p.TaskType, Archived: archived, Page: store.Page{Limit: 10_000},
			})
			require.NoError(t, err)
			for _, e := range executions {
				learned.executions = append(learned.executions, *e)
			}
		}
	}
	return learned
}
