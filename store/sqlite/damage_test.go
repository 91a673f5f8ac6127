package sqlite_test

import (
	"database/sql"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite"
	"mneme/store/storetest"
)

// stored is a column of a table that holds something that is decoded.
type stored struct{ table, column, kind string }

// structure are the tables and columns by which records are found. What is wrong with those the other parts of the
// examination find.
var structure = map[string]bool{
	"nodes": true, "waiting": true, "settings": true, "edges": true, "execution_ids": true, "key": true, "seq": true,
	"trace": true, "span": true, "leads_by": true, "named_episode": true, "context_key": true, "rate": true,
}

// columns are all others.
func columns(t *testing.T, db *sql.DB) (found []stored) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT m.name, c.name, c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.sql LIKE '%STRICT%' ORDER BY 1, 2`)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var c stored
		require.NoError(t, rows.Scan(&c.table, &c.column, &c.kind))
		if !structure[c.table] && !structure[c.column] {
			found = append(found, c)
		}
	}
	require.NoError(t, rows.Err())
	return found
}

// alone makes the test thorough: a minute instead of seconds.
var alone = flag.Bool("damage.alone", false, "spoil one column of a file at a time")

// garbage is what may stand in a column of a type, as SQL.
var garbage = map[string][]string{
	"TEXT":    {`'{'`, `CAST(x'ff00fe' AS TEXT)`, `'` + strings.Repeat("[", 9998) + strings.Repeat("]", 9998) + `'`},
	"INTEGER": {`9223372036854775807`, `-7`},
	"REAL":    {`9e999`, `-7.5`},
	"BLOB":    {`x'0102'`, `zeroblob(8)`, `x'000000000000f07f'`},
}

// spoiling is a value that is put in a column of one record.
type spoiling struct{ table, column, value string }

// spoilings are what is done to columns.
func spoilings(all []stored) (found []spoiling) {
	for _, c := range all {
		for _, value := range garbage[c.kind] {
			found = append(found, spoiling{c.table, c.column, value})
		}
	}
	return found
}

// rounds sorts spoilings into parts that can be done to one file: they are of different tables, or each alone.
func rounds(all []spoiling) (parts [][]spoiling) {
	places := map[string]int{}
	for n, s := range all {
		place := places[s.table]
		if places[s.table]++; *alone {
			place = n
		}
		if place == len(parts) {
			parts = append(parts, nil)
		}
		parts[place] = append(parts[place], s)
	}
	return parts
}

// spoil does it to a file.
func spoil(t *testing.T, file string, all []spoiling) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	for _, s := range all {
		text := fmt.Sprintf(`UPDATE %[1]s SET %[2]s = %[3]s WHERE %[2]s = (SELECT %[2]s FROM %[1]s WHERE %[2]s IS NOT NULL LIMIT 1)`, s.table, s.column, s.value)
		if _, err = db.ExecContext(t.Context(), text); err != nil {
			require.ErrorContains(t, err, "constraint failed") // this cannot stand there
		}
	}
	require.NoError(t, db.Close())
}

// Whatever another program writes into a column, what was stored beside it is answered, the doctor names what cannot be
// read, and it can be discarded.
func TestDamagedValuesTakeNothingElseAlong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(id string) string { return filepath.Join(dir, id+".db") }
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir})
	require.NoError(t, err)
	storetest.Fill(t, backend, "whole")
	require.NoError(t, backend.Close(t.Context()))
	whole, err := os.ReadFile(file("whole"))
	require.NoError(t, err)
	db, err := sql.Open("sqlite", file("whole"))
	require.NoError(t, err)
	parts := rounds(spoilings(columns(t, db)))
	require.NoError(t, db.Close())

	var damaged, forgotten []string
	for i := range parts {
		damaged, forgotten = append(damaged, fmt.Sprintf("damaged-%d", i)), append(forgotten, fmt.Sprintf("forgotten-%d", i))
		for _, id := range []string{damaged[i], forgotten[i]} {
			require.NoError(t, os.WriteFile(file(id), whole, 0o600))
		}
	}
	backend = open(t, dir)
	unread := map[string]bool{}
	for _, id := range storetest.CheckDamage(t, backend, damaged, func(id string) { spoil(t, file(id), parts[slices.Index(damaged, id)]) }) {
		kind, _, _ := strings.Cut(id, ":")
		unread[kind] = true
	}
	storetest.CheckForgettingDamage(t, backend, forgotten, func(id string) { spoil(t, file(id), parts[slices.Index(forgotten, id)]) })
	assert.Subset(t, slices.Collect(maps.Keys(unread)), []string{
		"agent", "episode", "canvas", "feedback", "concept", "memoir", "observation",
		"correction", "run", "verdict", "pattern", "learningProfile", "execution", "span",
	}, "kinds whose damage is noticed")
}

// Whatever kind of node another program deletes, with foreign keys off, what is left is answered, told of, and rebuilt.
func TestWhatBelongsToWhatIsGone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tenants := map[string][]memory.Kind{}
	for _, kind := range memory.Kinds {
		tenants["gone-"+strings.ToLower(string(kind))] = []memory.Kind{kind}
	}
	storetest.CheckGone(t, open(t, dir), tenants, func(id string, kind memory.Kind) {
		db, err := sql.Open("sqlite", filepath.Join(dir, id+".db")+"?_pragma=busy_timeout(10000)")
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), `DELETE FROM nodes WHERE kind = ?`, string(kind))
		require.NoError(t, err)
		require.NoError(t, db.Close())
	})
}

func TestLogsAreReadButForWhatIsDamaged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	storetest.CheckLogDamage(t, open(t, dir), "t", func(sequence int) {
		db, err := sql.Open("sqlite", filepath.Join(dir, "t.db"))
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), `UPDATE events SET data = '{' WHERE seq = ?`, sequence)
		require.NoError(t, err)
		require.NoError(t, db.Close())
	})
}

func TestRunsAreCompletedWithWhatCanBeRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	spoiled := func(text string) func(string) {
		return func(key string) {
			db, err := sql.Open("sqlite", filepath.Join(dir, "t.db"))
			require.NoError(t, err)
			changed, err := db.ExecContext(t.Context(), text, key)
			require.NoError(t, err)
			rows, err := changed.RowsAffected()
			require.NoError(t, err)
			require.Equal(t, int64(1), rows)
			require.NoError(t, db.Close())
		}
	}
	storetest.CheckCompletingDamage(t, open(t, dir), "t", spoiled(`UPDATE verdicts SET issues = '{' WHERE key = ?`), spoiled(`UPDATE patterns SET last_seen = 9223372036854775807 WHERE key = ?`))
}

func TestThresholdsAreReadButForWhatIsDamaged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	spoiled := func(value string) func(string) {
		return func(key string) {
			db, err := sql.Open("sqlite", filepath.Join(dir, "t.db"))
			require.NoError(t, err)
			_, err = db.ExecContext(t.Context(), `UPDATE judge_thresholds SET `+value+` WHERE key = ?`, key)
			require.NoError(t, err)
			require.NoError(t, db.Close())
		}
	}
	storetest.CheckThresholdDamage(t, open(t, dir), "t", spoiled("threshold = 1e300"), spoiled("threshold = 9e999"), spoiled("at = 9223372036854775807"))
}

// Whatever becomes of a setting, what does not need it goes on, the doctor names it, and a rebuild brings all back.
func TestSettingsAreRebuilt(t *testing.T) {
	dir := t.TempDir()
	done := func(text string) func(id string) {
		return func(id string) {
			db, err := sql.Open("sqlite", filepath.Join(dir, id+".db"))
			require.NoError(t, err)
			_, err = db.ExecContext(t.Context(), text)
			require.NoError(t, err)
			require.NoError(t, db.Close())
		}
	}
	cases := map[string]storetest.SpoiledSetting{}
	for _, name := range []string{"input_key", "vector_length", "vacuum"} {
		key := ""
		if name == "input_key" {
			key = name
		}
		for what, value := range map[string]string{
			"a text": `'x'`, "garbage": `x'00ff'`, "huge": `9223372036854775807`, "below all": `-1`,
		} {
			set := fmt.Sprintf(`INSERT INTO settings VALUES ('%s', %s) ON CONFLICT DO UPDATE SET value = excluded.value`, name, value)
			cases[name+" is "+what] = storetest.SpoiledSetting{Names: []string{name}, Key: key, Spoil: done(set), Harmless: name == "vacuum"}
		}
		cases[name+" is missing"] = storetest.SpoiledSetting{
			Names: []string{name}, Key: key, Spoil: done(fmt.Sprintf(`DELETE FROM settings WHERE name = '%s'`, name)), Harmless: name == "vacuum",
		}
	}
	cases["vector_length is another"] = storetest.SpoiledSetting{Names: []string{"vector_length"}, Spoil: done(`UPDATE settings SET value = 7 WHERE name = 'vector_length'`)}
	backend := open(t, dir)
	storetest.FillWith(t, backend, "whole")
	require.NoError(t, backend.Close(t.Context()))
	whole, err := os.ReadFile(filepath.Join(dir, "whole.db"))
	require.NoError(t, err)
	tenants := map[string]storetest.SpoiledSetting{}
	for name, s := range cases {
		id := strings.ReplaceAll(name, " ", "-")
		require.NoError(t, os.WriteFile(filepath.Join(dir, id+".db"), whole, 0o600))
		tenants[id] = s
	}
	storetest.CheckSettings(t, func(t *testing.T) store.Backend { return open(t, dir) }, tenants)
}

func TestAKeyThatNothingWasHashedWithIsNotLost(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	storetest.CheckUnusedKey(t, func(t *testing.T) store.Backend { return open(t, dir) }, "t", func(id string) {
		db, err := sql.Open("sqlite", filepath.Join(dir, id+".db"))
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), `DELETE FROM settings WHERE name = 'input_key'`)
		require.NoError(t, err)
		require.NoError(t, db.Close())
	})
}
