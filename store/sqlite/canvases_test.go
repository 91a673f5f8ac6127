package sqlite

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
)

// An action's place follows from the last one. Counting them took as long as there are actions: seconds for a thousand
// more on a canvas with a hundred thousand. And where one is lost, the count is the place of another.
func TestActionsOfACanvasGoOnBehindTheLast(t *testing.T) {
	t.Parallel()
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
		recorded, err := store.Record(t.Context(), tenant, records)
		require.NoError(t, err)
		for _, r := range recorded {
			require.NoError(t, r.Err)
		}
	}
	act(0, 3)
	require.NoError(t, tenant.file.Write(t.Context(), func(c *db.Tx) error {
		return c.Conn.Exec(`DELETE FROM canvas_actions WHERE seq = 1`)
	}))
	act(3, 5)
	require.Equal(t, 4, tenant.number(t, `SELECT count(*) FROM canvas_actions`))
	require.Equal(t, 4, tenant.number(t, `SELECT max(seq) FROM canvas_actions`))
}

// Each of the canvases that wait for an episode took five statements, so that one that 100,000 waited for could not be
// recorded in the time of a request.
func TestCanvasesThatWaitAreLinkedTogether(t *testing.T) {
	const many = 2500
	tenant := openTenant(t, t.TempDir())
	tenant.mustRecord(t, record("a", "o")) // the statements are prepared
	var records []store.CanvasActionRecord
	for i := range many {
		records = append(records, store.CanvasActionRecord{
			Canvas: fmt.Sprint("c", i), CanvasType: memory.CanvasDocs, InputHash: fmt.Append(nil, i), Episode: new("e"),
			Action: memory.CanvasAction{Action: memory.CanvasUpdate, At: noon},
		})
	}
	_, err := store.Record(t.Context(), tenant, records)
	require.NoError(t, err)
	_, err = store.Record(t.Context(), tenant, []store.FeedbackRecord{{Feedback: memory.Feedback{
		Key: "f", CanvasKey: new("c7"), Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, CreatedAt: noon},
	}}})
	require.NoError(t, err)

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	tenant.mustRecord(t, record("e", "o"))
	runtime.ReadMemStats(&after)
	require.Less(t, after.Mallocs-before.Mallocs, uint64(40*many))
	require.Equal(t, many, tenant.number(t, `SELECT count(*) FROM edges WHERE type = 'PRESENTED'`))
	require.Equal(t, many, tenant.number(t, `SELECT canvas_action_count FROM episodes e JOIN nodes n ON n.id = e.id WHERE n.key = 'e'`))
	require.Equal(t, many, tenant.number(t, `SELECT count(*) FROM canvases v JOIN nodes a ON a.id = v.agent AND a.key = 'a'`))
	require.Equal(t, 1, tenant.number(t, `SELECT feedback_count FROM episodes e JOIN nodes n ON n.id = e.id WHERE n.key = 'e'`))
	require.Zero(t, tenant.number(t, `SELECT count(*) FROM waiting`))
}
