package sqlite

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
)

// Where an action is kept follows from the last one. To count them took as long as there are actions, so that a thousand more on
// a canvas with a hundred thousand took seconds; and where one is lost, the count is the place of another.
func TestActionsOfACanvasGoOnBehindTheLast(t *testing.T) {
	tenant := openTenant(t, t.TempDir())
	act := func(from, to int) {
		t.Helper()
		var records []store.CanvasActionRecord
		for i := from; i < to; i++ {
			records = append(records, store.CanvasActionRecord{
				Canvas: "c", CanvasType: memory.CanvasDocs, InputHash: fmt.Append(nil, i),
				Action: memory.CanvasAction{Action: memory.CanvasUpdate, At: time.UnixMilli(int64(i)).UTC()},
			})
		}
		recorded, err := tenant.RecordCanvasActions(t.Context(), records)
		require.NoError(t, err)
		for _, r := range recorded {
			require.NoError(t, r.Err)
		}
	}
	act(0, 3)
	require.NoError(t, tenant.file.Write(t.Context(), func(c *db.Conn) error {
		return c.Exec(`DELETE FROM canvas_actions WHERE seq = 1`)
	}))
	act(3, 5)
	require.Equal(t, 4, tenant.number(t, `SELECT count(*) FROM canvas_actions`))
	require.Equal(t, 4, tenant.number(t, `SELECT max(seq) FROM canvas_actions`))
}
