package examine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// Mending that looks for long ends with its context.
func TestMendingKeysEndsWithItsContext(t *testing.T) {
	t.Parallel()
	c, err := db.Connect(t.Context(), ":memory:")
	require.NoError(t, err)
	require.NoError(t, schema.Make(c))
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, mendRepeats(canceled, c), context.Canceled)
	require.NoError(t, c.Close())
}
