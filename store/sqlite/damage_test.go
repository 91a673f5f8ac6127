package sqlite_test

import (
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store/sqlite"
	"mneme/store/storetest"
)

// stored is a column of a table that holds something that is decoded.
type stored struct{ table, column, kind string }

// structure are the columns by which records are found and hang together. What is wrong with those the other parts
// of the examination find.
var structure = map[string]bool{
	"nodes": true, "waiting": true, "stems": true, "settings": true, "edges": true, "execution_ids": true, "id": true, "key": true, "episode": true, "agent": true,
	"session": true, "canvas": true, "memoir": true, "run": true, "section": true, "verdict": true, "profile": true, "seq": true,
	"trace": true, "span": true, "leads_by": true, "named_episode": true, "node": true, "context_key": true, "rate": true,
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

// ofAgents are the tables of what goes with an agent.
var ofAgents = map[string]bool{
	"agents": true, "episodes": true, "contents": true, "events": true, "profiles": true, "windows": true, "archive": true, "registry": true, "spans": true,
}

// everyValue makes the test thorough: some minutes instead of seconds.
var everyValue = flag.Bool("damage.every", false, "spoil each column with each value")

// garbage is what may stand in a column of a type, as SQL.
var garbage = map[string][]string{
	"TEXT":    {`'{'`, `CAST(x'ff00fe' AS TEXT)`, `'` + strings.Repeat("[", 9998) + strings.Repeat("]", 9998) + `'`},
	"INTEGER": {`9223372036854775807`, `-9223372036854775808`},
	"REAL":    {`9e999`, `-9e999`},
	"BLOB":    {`x'0102'`, `zeroblob(8)`, `x'000000000000f07f'`},
}

// filled is a directory with a tenant that holds something of every kind.
func filled(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir})
	require.NoError(t, err)
	storetest.Fill(t, backend, "t")
	require.NoError(t, backend.Close(t.Context()))
	return dir
}

// spoiled opens a copy of a directory, and gives what puts a value in a column of one of its records.
func spoiled(t *testing.T, dir string, c stored, value string) (*sqlite.Backend, func()) {
	t.Helper()
	copied := t.TempDir()
	file, err := os.ReadFile(filepath.Join(dir, "t.db"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(copied, "t.db"), file, 0o600))
	return open(t, copied), func() {
		db, err := sql.Open("sqlite", filepath.Join(copied, "t.db"))
		require.NoError(t, err)
		spoil := fmt.Sprintf(`UPDATE %[1]s SET %[2]s = %[3]s WHERE %[2]s = (SELECT %[2]s FROM %[1]s WHERE %[2]s IS NOT NULL LIMIT 1)`, c.table, c.column, value)
		_, err = db.ExecContext(t.Context(), spoil)
		if err != nil {
			require.ErrorContains(t, err, "constraint failed") // this cannot stand there
		}
		require.NoError(t, db.Close())
	}
}

// Whatever another program writes into a column, what was stored beside it is answered, the doctor finds what cannot be
// read, and mending removes it.
func TestDamagedValuesTakeNothingElseAlong(t *testing.T) {
	dir := filled(t)
	db, err := sql.Open("sqlite", filepath.Join(dir, "t.db"))
	require.NoError(t, err)
	all := columns(t, db)
	require.NoError(t, db.Close())
	unread := 0
	for n, c := range all {
		values := garbage[c.kind]
		for i, value := range values {
			if i != n%len(values) && !*everyValue {
				continue
			}
			t.Run(fmt.Sprintf("%s.%s %d", c.table, c.column, i), func(t *testing.T) {
				backend, spoil := spoiled(t, dir, c, value)
				unread += min(1, len(storetest.CheckDamage(t, backend, "t", spoil)))
			})
			if !ofAgents[c.table] {
				continue
			}
			t.Run(fmt.Sprintf("%s.%s %d, forgotten", c.table, c.column, i), func(t *testing.T) {
				backend, spoil := spoiled(t, dir, c, value)
				storetest.CheckForgettingDamage(t, backend, "t", spoil)
			})
		}
	}
	assert.Greater(t, unread, len(all)/3, "columns whose damage is noticed")
}
