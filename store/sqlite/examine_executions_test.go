package sqlite

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/storetest"
)

// furnishExecutions records executions of one profile, some of them episodes, so many that some are archived.
func furnishExecutions(t *testing.T, tenant *Tenant) {
	t.Helper()
	furnish(t, tenant)
	hunts(t, tenant, "x", memory.WindowSize+5, noon.Add(-50*time.Minute))
}

// hunts records executions, a minute apart.
func hunts(t *testing.T, tenant *Tenant, name string, count int, first time.Time) {
	t.Helper()
	var records []store.ExecutionRecord
	for i := range count {
		records = append(records, store.ExecutionRecord{Execution: memory.Execution{
			Key: fmt.Sprint(name, i), AgentKey: "a", TaskType: "hunt", Success: i%2 == 0, Quality: 0.5, At: first.Add(time.Duration(i) * time.Minute),
		}, InputHash: []byte{byte(i)}})
	}
	_, err := store.Record(t.Context(), tenant, records)
	require.NoError(t, err)
}

// Executions whose links are lost are linked again; none of them is lost.
func TestExecutionsAreLinkedAgain(t *testing.T) {
	t.Parallel()
	const executions = `source IN (SELECT id FROM nodes WHERE kind = 'execution')`
	for name, sql := range map[string]string{
		"no links":                   `DELETE FROM edges WHERE ` + executions,
		"no links to profiles":       `DELETE FROM edges WHERE type = 'OF' AND ` + executions,
		"no links to episodes":       `DELETE FROM edges WHERE type = 'FROM'`,
		"links to nothing":           `UPDATE edges SET target = target + 100000 WHERE ` + executions,
		"links to one episode":       `UPDATE edges SET target = 999999 WHERE target = (SELECT id FROM nodes WHERE ref = 'episode:e2')`,
		"no link to the profile's":   `DELETE FROM edges WHERE type = 'OF'`,
		"some links, and a sum is 0": `DELETE FROM edges WHERE source % 2 AND ` + executions + `; UPDATE profiles SET quality_billionths = 0`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			backend := openBackend(t, dir)
			tenant := bindTenant(t, backend)
			furnishExecutions(t, tenant)
			const links = `SELECT count(*) FROM edges WHERE ` + executions
			linked := tenant.number(t, links)
			require.Greater(t, linked, memory.WindowSize+5)
			tamper(t, dir, sql)
			putRight(t, backend, tenant)
			assert.Equal(t, memory.WindowSize+6, tenant.number(t, `SELECT total FROM profiles`))
			assert.Equal(t, linked, tenant.number(t, links))
			keys := []string{"episode:e2", "x0", "x104"}
			found, err := store.Get[memory.Execution](t.Context(), tenant, keys)
			require.NoError(t, err)
			for i, e := range found {
				require.NotNil(t, e, keys[i])
				assert.Equal(t, i == 1, e.Archived, keys[i])
			}
		})
	}
}

// What is gone is summed up anew of the rest, also where nodes of executions stand in the way.
func TestExecutionsThatAreInTheWay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backend := openBackend(t, dir)
	tenant := bindTenant(t, backend)
	furnishExecutions(t, tenant)
	tamper(t, dir, `DELETE FROM edges WHERE source IN (SELECT id FROM nodes WHERE kind = 'execution'); DELETE FROM executions WHERE key GLOB 'x1*' OR key = 'episode:e2'`)
	putRight(t, backend, tenant)
	assert.Equal(t, memory.WindowSize+6-16, tenant.number(t, `SELECT total FROM profiles`), "the episode is counted again")
}

// What an episode says is not what was counted where another program changed it. Once it is deleted, the others are as
// they were.
func TestDeletingAChangedEpisodeLeavesItsProfileWhole(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"another time":    `started_at = started_at + 1000, ended_at = ended_at + 1000`,
		"another quality": `quality = 0.125`,
		"another outcome": `outcome = 'UNKNOWN'`,
		"another type":    `task_type = 'rest'`,
	} {
		for _, archived := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", archived: ", archived), func(t *testing.T) {
				dir := t.TempDir()
				backend := openBackend(t, dir)
				tenant := bindTenant(t, backend)
				furnishExecutions(t, tenant)
				if archived {
					hunts(t, tenant, "later ", memory.WindowSize, noon.Add(time.Hour))
				}
				tamper(t, dir, `UPDATE episodes SET `+change+` WHERE id = (SELECT id FROM nodes WHERE ref = 'episode:e2')`)
				require.NoError(t, storetest.Delete(t.Context(), tenant, memory.KindEpisode, "e2"))
				requireWhole(t, examined(t, backend))
				found, err := store.Get[memory.Execution](t.Context(), tenant, []string{"x0", "x104", "episode:e2"})
				require.NoError(t, err)
				assert.NotNil(t, found[0])
				assert.NotNil(t, found[1])
				assert.Nil(t, found[2])
			})
		}
	}
}
