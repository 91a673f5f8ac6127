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

// work is an episode that is an execution.
func work(key, taskType string, at time.Time) store.EpisodeRecord {
	r := record(key, "what stays is here among others")
	r.Episode.TaskType, r.Episode.StartedAt = &taskType, at
	return r
}

func TestDeletedExecutionsAreInNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tenant := openTenant(t, dir)
	for i := range memory.WindowSize + 3 {
		tenant.mustRecord(t, work(fmt.Sprint("stays", i), "task", noon.Add(time.Duration(i)*time.Minute)))
	}
	gone := map[string]store.EpisodeRecord{
		"windowzz": work("windowzz", "task", noon.Add(time.Hour)), "archivezz": work("archivezz", "task", noon.Add(-time.Hour)),
		"onlyzz": work("onlyzz", "typezz", noon),
	}
	secrets := []string{"typezz"}
	for key, r := range gone {
		tenant.mustRecord(t, r)
		secrets = append(secrets, key)
	}
	assert.Equal(t, len(gone), tenant.number(t, `SELECT count(*) FROM executions WHERE key LIKE '%zz'`))
	for _, secret := range secrets {
		require.NotEmpty(t, traces(t, dir, secret), "%s was written", secret)
	}
	for key := range gone {
		require.NoError(t, storetest.Delete(t.Context(), tenant, memory.KindEpisode, key))
	}
	tenant.mustCompact(t)
	assert.Empty(t, traces(t, dir, secrets...))
	assert.NotEmpty(t, traces(t, dir, "stays9"))
	assert.Equal(t, 1, tenant.number(t, `SELECT count(*) FROM profiles`))
	assert.Equal(t, memory.WindowSize+3, tenant.number(t, `SELECT count(*) FROM executions`))
	assert.Zero(t, tenant.number(t, `SELECT count(*) FROM nodes WHERE kind IN ('execution', 'learningProfile')
		AND id NOT IN (SELECT id FROM executions UNION SELECT id FROM profiles)`))
}
