package words

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

func TestWordsComeAndGoWithinABatch(t *testing.T) {
	t.Parallel()
	c, err := db.Connect(t.Context(), ":memory:")
	require.NoError(t, err)
	require.NoError(t, schema.Make(c))
	require.NoError(t, c.Together(func(c *db.Conn) error {
		if err := c.Script(`INSERT INTO nodes (id, kind, key) VALUES (1, 'feedback', 'f')`); err != nil {
			return err
		}
		if err := add(c, 1, Analyse(memory.KindFeedback, "a walrus", "walrus")); err != nil {
			return err
		}
		return RemoveAll(c, "[1]")
	}, CountStems))
	require.NoError(t, c.Script(`INSERT INTO notes (notes) VALUES ('integrity-check')`))
	found, err := c.One(`SELECT 1 FROM stems UNION ALL SELECT 1 FROM bags UNION ALL SELECT 1 FROM notes('"feedback/walru"')`, func(*db.Row) {})
	require.NoError(t, err)
	require.False(t, found)
	require.NoError(t, c.Close())
}
