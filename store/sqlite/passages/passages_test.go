package passages

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// opened is an empty database with memoirs that say a word each.
func opened(t *testing.T, memoirs ...string) *db.Conn {
	t.Helper()
	c, err := db.Connect(t.Context(), ":memory:")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	require.NoError(t, schema.Own.Make(c))
	for i, name := range memoirs {
		require.NoError(t, c.Script(fmt.Sprintf(`INSERT INTO nodes (id, kind, key) VALUES (%[1]d, 'memoir', '%[1]d');
			INSERT INTO memoirs (id, name, created_at, input_hash) VALUES (%[1]d, '%[2]s', 0, x'')`, i+1, name)))
	}
	return c
}

func write(t *testing.T, c *db.Conn, do func(tx *db.Tx)) {
	t.Helper()
	require.NoError(t, db.Write(t.Context(), c, func(tx *db.Tx) error {
		do(tx)
		return nil
	}))
}

func counted(t *testing.T, c *db.Conn, sql string) (n int) {
	t.Helper()
	_, err := c.One(sql, func(r *db.Row) { n = r.Int() })
	require.NoError(t, err)
	return n
}

func TestPassagesComeAndGoWithinABatch(t *testing.T) {
	t.Parallel()
	c := opened(t, "walrus", "giraffe")
	write(t, c, func(tx *db.Tx) {
		require.NoError(t, tx.Together(func(tx *db.Tx) error {
			for _, node := range []int64{1, 2} {
				Index(tx, memory.KindMemoir, node)
			}
			Remove(tx, db.List("nodes", []int64{1}))
			return nil
		}, Write))
	})
	assert.Equal(t, 1, counted(t, c, `SELECT count(*) FROM passages`))
	assert.Equal(t, 0, counted(t, c, `SELECT count(*) FROM passage_words('walru')`))
	assert.Equal(t, 1, counted(t, c, `SELECT count(*) FROM passage_words('giraff')`))
	require.NoError(t, c.Script(`INSERT INTO passage_words (passage_words) VALUES ('integrity-check')`))
}

// The ids of a kind are together, and none comes twice.
func TestNumbersOfPassagesOnlyGrow(t *testing.T) {
	t.Parallel()
	c := opened(t, "walrus")
	first, last := Range(memory.KindMemoir)
	before := int64(0)
	for range 3 {
		write(t, c, func(tx *db.Tx) { Index(tx, memory.KindMemoir, 1) })
		id := int64(counted(t, c, `SELECT id FROM passages`))
		assert.Greater(t, id, before)
		assert.GreaterOrEqual(t, id, first)
		assert.LessOrEqual(t, id, last)
		before = id
		write(t, c, func(tx *db.Tx) { Remove(tx, db.List("nodes", []int64{1})) })
	}
	write(t, c, Empty)
	write(t, c, func(tx *db.Tx) { Rebuild(tx, func(int) {}) })
	assert.Greater(t, int64(counted(t, c, `SELECT id FROM passages`)), before)
	_, none := Range(memory.KindCanvas)
	assert.Zero(t, none)
}
