package sqlite

import (
	_ "embed"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/learning"
	"mneme/store/sqlite/schema"
	"mneme/store/storetest"
)

//go:embed testdata/before_learning.sql
var beforeLearning string

// openFromBeforeLearning opens a tenant whose file was written before there were profiles.
func openFromBeforeLearning(t *testing.T) *Tenant {
	t.Helper()
	dir := t.TempDir()
	writeOld(t, dir, 3, beforeLearning)
	return openTenant(t, dir)
}

// rebookings are the executions that the first episodes of the old file are.
func rebookings(count int) []memory.Execution {
	executions := make([]memory.Execution, count)
	for i := range executions {
		e := memory.Episode{
			Key: fmt.Sprintf("e%03d", i), AgentKey: "ada", TaskType: new("rebooking"), Outcome: memory.OutcomeSuccess,
			StartedAt: noon.Add(time.Duration(i) * time.Minute),
		}
		if i%5 == 4 {
			e.Outcome = memory.OutcomeFailure
		}
		if i%2 == 0 {
			e.EndedAt = new(e.StartedAt.Add(500 * time.Millisecond))
		}
		if (100+i)%3 == 0 {
			e.Quality = new(0.75)
		}
		executions[i] = *memory.ExecutionOf(&e)
	}
	return executions
}

// requireProfile compares a profile, read whole, with that of plain executions.
func requireProfile(t *testing.T, tenant *Tenant, executions []memory.Execution) {
	t.Helper()
	want := memory.LearningProfile{AgentKey: "ada", TaskType: "rebooking"}
	archived := []*memory.Execution{}
	for _, e := range executions {
		if old := want.Add(e); old != nil {
			archived = append([]*memory.Execution{old}, archived...)
		}
	}
	require.NoError(t, tenant.file.Read(t.Context(), func(c *db.Conn) error {
		p, err := learning.ProfileFor(c, &executions[0])
		require.NotNil(t, p)
		assert.Equal(t, want, p.LearningProfile)
		return err
	}))
	listed, more, err := tenant.ListExecutions(t.Context(), store.ExecutionsOf{
		Agent: "ada", TaskType: "rebooking", Archived: true, Page: store.Page{Limit: 99},
	})
	require.NoError(t, err)
	assert.False(t, more)
	assert.Equal(t, archived, listed)
}

func TestMigrateToLearningCountsTheEpisodesThatAreThere(t *testing.T) {
	tenant := openFromBeforeLearning(t)
	requireProfile(t, tenant, rebookings(105))
	profiles, err := tenant.Profiles(t.Context(), store.ProfileFilter{})
	require.NoError(t, err)
	require.Len(t, profiles, 2)
	assert.Equal(t, "learningProfile:eve/luggage", profiles[1].ID())
	assert.Equal(t, 106, tenant.number(t, `SELECT count(*) FROM executions JOIN nodes USING (id) WHERE kind = 'execution'`))
	assert.Equal(t, 106, tenant.number(t, `SELECT count(*) FROM edges WHERE type = 'FROM' AND source_ref = 'execution:' || target_ref`))
	assert.Equal(t, 106+2, tenant.number(t, `SELECT count(*) FROM edges WHERE type = 'OF'`))
	assert.Zero(t, tenant.number(t, `SELECT count(*) FROM pragma_foreign_key_check`))
}

func TestMigrateToLearningLinksWhatWaited(t *testing.T) {
	tenant := openFromBeforeLearning(t)
	noticed, err := tenant.Observations(t.Context(), []string{"noticed"})
	require.NoError(t, err)
	require.NotNil(t, noticed[0])
	assert.Equal(t, []string{"execution:episode:e000"}, noticed[0].About)
	assert.Zero(t, tenant.number(t, `SELECT count(*) FROM waiting`))
}

func TestProfilesOfAMigratedTenantGoOn(t *testing.T) {
	dir := t.TempDir()
	writeOld(t, dir, 3, beforeLearning)
	backend := openBackend(t, dir)
	requireProfile(t, bindTenant(t, backend), rebookings(105))
	require.NoError(t, backend.Close(t.Context()))

	tenant := openTenant(t, dir)
	executions := append(rebookings(105), rebookings(107)[106])
	require.NoError(t, tenant.ConcludeEpisode(t.Context(), store.EpisodeConclusion{Key: "e106", Outcome: memory.OutcomeSuccess}))
	requireProfile(t, tenant, executions)
	require.NoError(t, tenant.file.Write(t.Context(), schema.MakeInputKey)) // as whatever wrote its records had it
	require.NoError(t, storetest.Delete(t.Context(), tenant, memory.KindEpisode, "e105"), "which is no execution")
	require.NoError(t, storetest.Delete(t.Context(), tenant, memory.KindEpisode, "e050"))
	requireProfile(t, tenant, append(executions[:50:50], executions[51:]...))
}
