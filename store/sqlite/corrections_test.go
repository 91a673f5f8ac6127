package sqlite

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
)

// What cannot be read is told of where it is read, and counts for nothing.
func TestCorrectionsThatCannotBeReadAreNotCounted(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	corrections := make([]store.CorrectionRecord, 2)
	for i, key := range []string{"whole", "spoiled"} {
		corrections[i] = store.CorrectionRecord{Correction: memory.Correction{
			Key: key, Topic: "seats", Correction: "window", Importance: memory.ImportanceLow, CreatedAt: noon,
		}, InputHash: []byte(key)}
	}
	_, err := store.Record(t.Context(), tenant, corrections)
	require.NoError(t, err)
	require.NoError(t, tenant.file.Write(t.Context(), func(c *db.Tx) error {
		return c.Conn.Exec(`UPDATE corrections SET importance = 'HUGE' WHERE id = (SELECT id FROM nodes WHERE key = 'spoiled')`)
	}))
	stats, err := tenant.CorrectionStats(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, memory.CountCorrections([]memory.CorrectionCount{{Topic: "seats", Importance: memory.ImportanceLow, Count: 1}}), stats)
}
