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

// furnishExecutions records executions of one profile, some of them episodes, so many that some are archived.
func furnishExecutions(t *testing.T, tenant *Tenant) {
	t.Helper()
	furnish(t, tenant)
	var records []store.ExecutionRecord
	for i := range memory.WindowSize + 5 {
		at := noon.Add(time.Duration(i-50) * time.Minute)
		records = append(records, store.ExecutionRecord{Execution: memory.Execution{
			Key: fmt.Sprintf("x%d", i), AgentKey: "a", TaskType: "hunt", Success: i%2 == 0, Quality: 0.5, At: at,
		}, InputHash: []byte{byte(i)}})
	}
	_, err := tenant.RecordExecutions(t.Context(), records)
	require.NoError(t, err)
}

// mendAll mends what is found, in its order, as often as something is left.
func mendAll(t *testing.T, backend *Backend) {
	t.Helper()
	for range 3 {
		findings, err := backend.Examine(t.Context())
		require.NoError(t, err)
		for _, f := range findings {
			if f.Mend != nil {
				require.NoError(t, f.Mend(t.Context()), f.Part)
			}
		}
	}
	requireWhole(t, examined(t, backend))
}

// Executions whose links are lost are linked again; none of them is lost.
func TestExecutionsAreLinkedAgain(t *testing.T) {
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
			mendAll(t, backend)
			assert.Equal(t, memory.WindowSize+6, tenant.number(t, `SELECT total FROM profiles`))
			assert.Equal(t, linked, tenant.number(t, links))
			keys := []string{"episode:e2", "x0", "x104"}
			found, err := tenant.Executions(t.Context(), keys)
			require.NoError(t, err)
			for i, e := range found {
				require.NotNil(t, e, keys[i])
				assert.Equal(t, i == 1, e.Archived, keys[i])
			}
		})
	}
}

// What cannot be linked is summed up anew of the rest, also where nodes of executions stand in the way.
func TestExecutionsThatAreInTheWay(t *testing.T) {
	dir := t.TempDir()
	backend := openBackend(t, dir)
	tenant := bindTenant(t, backend)
	furnishExecutions(t, tenant)
	tamper(t, dir, `DELETE FROM edges WHERE source IN (SELECT id FROM nodes WHERE kind = 'execution'); UPDATE windows SET latencies = x'0102'`)
	mendAll(t, backend)
	assert.Equal(t, 1+6, tenant.number(t, `SELECT total FROM profiles`), "an episode, and what is in the archive")
}

// Whatever is damaged in the word index, it is found, and made anew of the records.
func TestDamagedWordIndexesAreMadeAnew(t *testing.T) {
	for name, sql := range map[string]string{
		"no lengths":         `DELETE FROM words_docsize`,
		"a length":           `UPDATE notes_docsize SET sz = x'090909' WHERE id = (SELECT min(id) FROM notes_docsize)`,
		"sums of lengths":    `UPDATE words_data SET block = x'7f7f7f7f7f' WHERE id = 1`,
		"no sums of lengths": `DELETE FROM words_data WHERE id = 1`,
		"no structure":       `DELETE FROM notes_data WHERE id = 10`,
		"no pages":           `DELETE FROM words_data WHERE id > 10; DELETE FROM notes_data WHERE id > 10`,
		"garbage for pages":  `UPDATE words_data SET block = x'0102' WHERE id > 10`,
		"no data":            `DELETE FROM words_data`,
		"no settings":        `DELETE FROM words_config`,
		"no pages' places":   `DELETE FROM words_idx`,
		"no stems":           `DELETE FROM stems`,
		"no table of stems":  `DROP TABLE stems`,
		"no table":           `DROP TABLE words`,
		"no table of pages":  `DROP TABLE notes_data`,
		"nothing":            `DROP TABLE words; DROP TABLE notes; DROP TABLE stems`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			backend := openBackend(t, dir)
			tenant := bindTenant(t, backend)
			furnish(t, tenant)
			require.NoError(t, backend.Close(t.Context()))
			tamper(t, dir, sql)
			backend = openBackend(t, dir)
			if sql != `DELETE FROM words_idx` { // of so few pages FTS5 needs none
				found := examined(t, backend)
				assert.NotEmpty(t, found["schema"].Fault+found["word index"].Fault+found["integrity"].Fault)
			}
			mendAll(t, backend)
			tenant = bindTenant(t, backend)
			requireWordsAgree(t, tenant)
			tenant.mustRecord(t, record("e9", "a delayed walrus"))
			requireWhole(t, examined(t, backend))
		})
	}
}
