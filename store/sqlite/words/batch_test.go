package words

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

func TestWordsComeAndGoWithinABatch(t *testing.T) {
	c, err := db.Connect(t.Context(), ":memory:")
	require.NoError(t, err)
	require.NoError(t, schema.Migrate(c, func(c *db.Conn, _ int) error { return Reindex(c) }))
	words := Analyse(memory.KindFeedback, "", "a walrus", "")
	require.NoError(t, c.Together(func(c *db.Conn) error {
		if err := Add(c, 1, words); err != nil {
			return err
		}
		return remove(c, 1, words)
	}, CountStems))
	require.NoError(t, c.Script(`INSERT INTO notes (notes) VALUES ('integrity-check')`))
	found, err := c.One(`SELECT 1 FROM stems UNION ALL SELECT 1 FROM notes('walrus')`, func(*db.Row) {})
	require.NoError(t, err)
	require.False(t, found)
	require.NoError(t, c.Close())
}
