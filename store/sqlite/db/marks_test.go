package db_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store"
	"mneme/store/sqlite/db"
)

const madeOnce = `CREATE TABLE notes (text TEXT)`

func TestAFileIsRaisedToALaterSchema(t *testing.T) {
	t.Parallel()
	first := db.Schema{Application: 7, Version: 1, Script: madeOnce}
	third := db.Schema{Application: 7, Version: 3, Script: madeOnce, Steps: map[int]string{
		1: `ALTER TABLE notes ADD COLUMN length INTEGER`, 2: `UPDATE notes SET length = length(text)`,
	}}
	path := filepath.Join(t.TempDir(), "a.db")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	c, err := db.Connect(t.Context(), db.DSN(path, time.Second, "journal_mode(wal)"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	require.NoError(t, first.Make(c))
	require.NoError(t, c.Script(`INSERT INTO notes VALUES ('four')`))
	made, err := third.IsMade(c)
	require.NoError(t, err, "it can be raised")
	assert.False(t, made)

	broken := third
	broken.Steps = map[int]string{1: third.Steps[1], 2: `UPDATE none SET x = 1`}
	require.Error(t, broken.Make(c))
	made, err = first.IsMade(c)
	require.NoError(t, err)
	assert.True(t, made, "what failed changed nothing")
	broken.Steps = map[int]string{1: third.Steps[1]}
	require.ErrorIs(t, broken.Make(c), store.ErrSchemaVersion, "a step is missing")

	require.NoError(t, third.Make(c))
	length := 0
	_, err = c.One(`SELECT length FROM notes`, func(r *db.Row) { length = r.Int() })
	require.NoError(t, err)
	assert.Equal(t, 4, length)
	require.ErrorContains(t, first.Make(c), "it needs a later version")
	earlier, err := db.Connect(t.Context(), db.DSN(path+".version-1", time.Second))
	require.NoError(t, err)
	made, err = first.IsMade(earlier)
	require.NoError(t, errors.Join(err, earlier.Close()))
	assert.True(t, made, "the copy is as it was")
	info, err := os.Stat(path + ".version-1")
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}
