package cli_test

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// report is what the doctor says in JSON.
type report struct {
	Version, Go, Store string
	Embedder, Model    struct {
		Configured  bool
		Host, Model string
	}
	Findings []struct {
		Tenant, Part, Found, Fault, Remedy string
		Unreadable                         []string
	}
	Faults int
}

func (c *report) faults() (parts []string) {
	for _, f := range c.Findings {
		if f.Fault != "" {
			parts = append(parts, f.Part)
		}
	}
	return parts
}

// spoil changes a file as another program would.
func spoil(t *testing.T, file, text string, values ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), text, values...)
	require.NoError(t, err)
	require.NoError(t, db.Close())
}

// examine runs the doctor with --json, which must end with a status.
func examine(t *testing.T, env map[string]string, status int, args ...string) report {
	t.Helper()
	got := mneme(t, env, "", append([]string{"doctor", "--json"}, args...)...)
	require.Equal(t, status, got.status, got.err)
	var c report
	require.NoError(t, json.Unmarshal([]byte(got.out), &c), got.out)
	return c
}

func TestDoctorFindsAHealthyStoreWhole(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		"MNEME_DATA": t.TempDir(), "MNEME_EMBEDDER_URL": "http://user:secret@127.0.0.1:1/v1?key=secret", "MNEME_EMBEDDER_MODEL": "small",
	}
	require.Zero(t, mneme(t, map[string]string{"MNEME_DATA": env["MNEME_DATA"]}, "", "demo").status)
	c := examine(t, env, 0)
	assert.Zero(t, c.Faults)
	assert.Greater(t, len(c.Findings), 5)
	assert.Contains(t, c.Store, env["MNEME_DATA"])
	assert.NotEmpty(t, c.Version+c.Go)
	assert.True(t, c.Embedder.Configured)
	assert.False(t, c.Model.Configured)

	told := mneme(t, env, "", "doctor")
	assert.Zero(t, told.status)
	assert.Empty(t, told.err)
	assert.Contains(t, told.out, "embedder: small at http://127.0.0.1:1 (configured, not asked)")
	assert.Contains(t, told.out, "chat model: not configured")
	assert.Contains(t, told.out, "default: passages")
	assert.NotContains(t, told.out, "FAULT")
	assert.NotContains(t, told.out, "secret")

	delete(env, "MNEME_EMBEDDER_URL")
	delete(env, "MNEME_EMBEDDER_MODEL")
	delete(env, "MNEME_EMBEDDER_KEY")
	told = mneme(t, env, "", "doctor")
	assert.Contains(t, told.out, "embedder: not configured, texts are compared by their words and by the built-in vectors")
	env["MNEME_EMBEDDER"] = "off"
	told = mneme(t, env, "", "doctor")
	assert.Contains(t, told.out, "embedder: not configured, texts are compared by their words only")
	assert.Contains(t, told.out, "not made (MNEME_EMBEDDER=off)")
}

// A record that cannot be read takes no other along: answers, exports and deletes go on, the doctor names it, and
// it can be deleted by that id.
func TestDamagedRecordsAreLeftOut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	env := map[string]string{"MNEME_DATA": dir}
	require.Zero(t, mneme(t, env, "", "demo").status)
	db, err := sql.Open("sqlite", filepath.Join(dir, "default.db"))
	require.NoError(t, err)
	var key string
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT key FROM nodes WHERE kind = 'episode' ORDER BY key LIMIT 1`).Scan(&key))
	_, err = db.ExecContext(t.Context(), `UPDATE contents SET actions = '[{' WHERE episode = (SELECT id FROM nodes WHERE kind = 'episode' AND key = ?)`, key)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	id := "episode:" + key

	file := filepath.Join(dir, "out.jsonl")
	exported := mneme(t, env, "", "export", file)
	assert.Equal(t, 3, exported.status)
	assert.Contains(t, exported.err, "1 cannot be read, or belong to what cannot, and are not in the export, which is whole otherwise: "+id)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.NotContains(t, string(text), `{"kind":"episode","kept":{"key":"`+key+`"`)
	assert.Contains(t, string(text), `{"kind":"episode"`)
	assert.Contains(t, string(text), `{"kind":"correction"`)
	for _, args := range [][]string{{"export"}, {"export", "-"}} {
		piped := mneme(t, env, "", args...)
		assert.Equal(t, 3, piped.status, args)
		assert.Equal(t, exported.err, piped.err)
		assert.Equal(t, string(text), piped.out)
	}

	c := examine(t, env, 1)
	assert.Equal(t, []string{"records", "passages"}, c.faults())
	assert.Contains(t, mneme(t, env, "", "doctor").out, "mneme forget --unreadable "+id)
	none := mneme(t, env, "", "forget", "--unreadable", "episode:none", "--yes")
	assert.Equal(t, 1, none.status)
	assert.Contains(t, none.err, "nothing that cannot be read has this id")
	require.Zero(t, mneme(t, env, "", "rebuild").status)
	assert.Equal(t, []string{"records"}, func() []string { c := examine(t, env, 1); return c.faults() }(), "it is left alone")
	assert.Equal(t, "Deleted 1 record that cannot be read.\n", mneme(t, env, "", "forget", "--unreadable", id, "--yes").out)
	examine(t, env, 0)
	assert.Zero(t, mneme(t, env, "", "export", file).status)
}

// What was deleted for good, too, may have been unreadable.
func TestDamagedRecordsAreForgotten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	done(t, twoEpisodes, "import", "--format", "jsonl", "--data", dir, "-")
	spoil(t, filepath.Join(dir, "default.db"), `UPDATE contents SET actions = '[{'`)
	env := map[string]string{"MNEME_DATA": dir}
	c := examine(t, env, 1)
	for _, finding := range c.Findings {
		for _, id := range finding.Unreadable {
			require.Zero(t, mneme(t, env, "", "forget", "--record", id, "--yes").status, id)
		}
	}
	examine(t, env, 0)
	assert.Contains(t, mneme(t, env, twoEpisodes, "import", "--format", "jsonl", "-").out, "left out 2 records that were deleted for good")
}

// What nobody foresaw is told with its cause: there is no other log than this one.
func TestInternalErrorsAreLogged(t *testing.T) {
	t.Parallel()
	dir := beginning(t)
	db, err := sql.Open("sqlite", filepath.Join(dir, "default.db"))
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), `PRAGMA foreign_keys = OFF; DROP TABLE tombstones`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	got := mneme(t, nil, "", "export", "--data", dir)
	assert.Equal(t, 1, got.status)
	assert.Contains(t, got.err, "mneme: INTERNAL: internal error\n")
	assert.Contains(t, got.err, "level=ERROR")
	assert.Contains(t, got.err, "no such table")
}

// Whatever becomes of a setting, no command ends without words: the error names the setting, the doctor what to do.
func TestLostSettingsAreNamed(t *testing.T) {
	t.Parallel()
	for name, broken := range map[string]string{
		"input_key":     `UPDATE settings SET value = 'x' WHERE name = 'input_key'`,
		"vector_length": `INSERT INTO settings VALUES ('vector_length', 'x')`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			env := map[string]string{"MNEME_DATA": dir}
			require.Zero(t, mneme(t, env, "", "demo").status)
			db, err := sql.Open("sqlite", filepath.Join(dir, "default.db"))
			require.NoError(t, err)
			_, err = db.ExecContext(t.Context(), broken)
			require.NoError(t, err)
			require.NoError(t, db.Close())

			c := examine(t, env, 1)
			require.Len(t, c.faults(), 1)
			assert.Contains(t, mneme(t, env, "", "doctor").out, "the setting "+name)
			lost := name == "input_key"
			recalled := mneme(t, env, "", "recall", "a refund")
			assert.Zero(t, recalled.status, recalled.err)
			assert.Contains(t, recalled.out, "SCORE")
			file := filepath.Join(dir, "out.jsonl")
			for _, got := range []result{
				mneme(t, env, "", "export", file), mneme(t, env, "", "forget", "--person", "ada"),
				mneme(t, env, twoEpisodes, "import", "--format", "jsonl", "-"),
			} {
				assert.Equal(t, lost, got.status != 0, got.err)
				assert.NotContains(t, got.err, "internal error")
				if lost {
					assert.Contains(t, got.err, "setting")
					assert.Contains(t, got.err, name)
					assert.Contains(t, got.err, "mneme doctor")
				}
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			imported := mneme(t, map[string]string{"MNEME_DATA": t.TempDir()}, string(text), "import", "--format", "jsonl", "-")
			assert.Zero(t, imported.status, "an export without the key can be imported: %s", imported.err)

			if lost {
				require.Zero(t, mneme(t, env, "", "forget", "--unreadable", "setting:"+name, "--yes").status)
			}
			require.Zero(t, mneme(t, env, "", "rebuild").status)
			examine(t, env, 0)
			for _, got := range []result{
				mneme(t, env, "", "export", file), mneme(t, env, "", "forget", "--person", "ada"),
				mneme(t, env, twoEpisodes, "import", "--format", "jsonl", "-"),
			} {
				assert.Zero(t, got.status, got.err)
			}
		})
	}
}

func TestRebuildPutsRightWhatTheDoctorFinds(t *testing.T) {
	t.Parallel()
	env := map[string]string{"MNEME_DATA": t.TempDir()}
	require.Zero(t, mneme(t, env, "", "demo").status)
	file := filepath.Join(env["MNEME_DATA"], "default.db")
	require.NoError(t, os.Chmod(file, 0o644))
	spoil(t, file, `DELETE FROM passages WHERE number = 1; UPDATE episodes SET feedback_count = 99`)

	c := examine(t, env, 1)
	assert.Equal(t, []string{"permissions", "counters", "passages"}, c.faults())
	told := mneme(t, env, "", "doctor")
	assert.Equal(t, 1, told.status)
	assert.Contains(t, told.err, "3 of 18 findings are faults")
	assert.Contains(t, mneme(t, nil, "", "doctor", "--data", filepath.Join(t.TempDir(), "none")).err, "1 of 1 finding is a fault")
	assert.Contains(t, told.out, "chmod 600 "+file)
	assert.Contains(t, told.out, "Make it anew of the records: mneme rebuild\n")

	require.NoError(t, os.Chmod(file, 0o600))
	require.Zero(t, mneme(t, env, "", "rebuild").status)
	examine(t, env, 0)
	assert.Contains(t, mneme(t, env, "", "recall", "a refund").out, "SCORE")
}

func TestDoctorTellsWhyAStoreCannotBeOpened(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "elsewhere")
	c := examine(t, nil, 1, "--data", missing)
	require.Len(t, c.Findings, 1)
	assert.Contains(t, c.Findings[0].Fault, "there is no data directory "+missing)
	assert.Contains(t, c.Findings[0].Remedy, "--data")
	assert.NoDirExists(t, missing)

	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "default.db"), make([]byte, 5000), 0o600))
	c = examine(t, nil, 1, "--data", dir)
	assert.Equal(t, 1, c.Faults)
	for _, finding := range c.Findings {
		if finding.Fault != "" {
			assert.Equal(t, "default", finding.Tenant)
			assert.Contains(t, finding.Remedy, "mneme restore FILE")
		}
	}

	c = examine(t, nil, 1, "--store", "neo4j://127.0.0.1:1")
	assert.Contains(t, c.Findings[0].Fault, "no Neo4j answers at neo4j://127.0.0.1:1")

	assert.Equal(t, 2, mneme(t, nil, "", "doctor", "--store", "redis://h").status)
	assert.Equal(t, 2, mneme(t, map[string]string{"MNEME_EMBEDDER_DIM": "x"}, "", "doctor").status)
}
