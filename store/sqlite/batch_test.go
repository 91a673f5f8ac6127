package sqlite

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
)

// manyRecords are executions of one agent, each with words of its own and some that all have.
func manyRecords(count int) []store.EpisodeRecord {
	records := make([]store.EpisodeRecord, count)
	for i := range records {
		records[i] = record(fmt.Sprintf("e%03d", i), fmt.Sprintf("the walrus %d swims", i))
		records[i].Episode.TaskType, records[i].Episode.SessionKey = new("swim"), new("pool")
	}
	return records
}

// The index of words keeps in memory what comes in order, unless a statement has to be undone alone: then it is
// written out before each, in parts that have to be merged.
func TestABatchWritesItsWordsInOnePart(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	tenant.mustRecord(t, manyRecords(200)...)
	require.Equal(t, 1, tenant.number(t, `SELECT count(DISTINCT segid) FROM passage_words_idx`))
	requireWordsAgree(t, tenant)
}

func TestABatchIsCountedAsItsRecordsAre(t *testing.T) {
	t.Parallel()
	together, apart := openTenant(t, t.TempDir()), openTenant(t, t.TempDir())
	records := manyRecords(memory.WindowSize + 20)
	together.mustRecord(t, records...)
	for i := range records {
		apart.mustRecord(t, records[i])
	}
	counts := func(tenant *Tenant) (rows []string) {
		require.NoError(t, tenant.file.Read(t.Context(), func(c *db.Conn) error {
			return c.Query(`SELECT text, number, part FROM passages
				UNION ALL SELECT task_type, total, hex(window_at) FROM profiles
				UNION ALL SELECT key, at, quality || '' FROM executions ORDER BY 1, 2`, func(r *db.Row) {
				rows = append(rows, fmt.Sprint(r.Text(), r.Integer(), r.Text()))
			})
		}))
		return rows
	}
	require.Equal(t, counts(apart), counts(together))
}

func TestABatchThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	fail := func(tx *db.Tx) error {
		for _, r := range manyRecords(3) {
			if _, err := recordEpisode(tx, &r); err != nil {
				return err
			}
		}
		return errAmid
	}
	require.ErrorIs(t, tenant.writeTogether(t.Context(), fail), errAmid)
	require.Error(t, tenant.writeTogether(t.Context(), func(tx *db.Tx) error {
		require.ErrorIs(t, fail(tx), errAmid)
		panic("amid a batch")
	}))
	tenant.mustRecord(t, record("e1", "another"))
	requireWordsAgree(t, tenant)
	require.Zero(t, tenant.number(t, `SELECT count(*) FROM profiles`))
	require.Equal(t, 1, tenant.number(t, `SELECT count(*) FROM episodes`))
}

// What a batch learns while it goes on counts: that something waits, and that something was forgotten.
func TestABatchSeesItsOwnWaits(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	records := manyRecords(2)
	records[0].CausedBy = []string{records[1].Episode.Key}
	tenant.mustRecord(t, records...)
	require.Equal(t, 1, tenant.number(t, `SELECT count(*) FROM edges WHERE type = 'CAUSED_BY'`))
	require.Zero(t, tenant.number(t, `SELECT count(*) FROM waiting`))

	key, err := tenant.InputKey(t.Context())
	require.NoError(t, err)
	forgotten := manyRecords(3)[2]
	recorded, err := tenant.Restore(t.Context(), []store.Item{
		store.Tombstone(memory.Tombstone(key, memory.NodeID(memory.KindEpisode, forgotten.Episode.Key))), &forgotten,
	}, false)
	require.NoError(t, err)
	require.ErrorIs(t, recorded[1].Err, store.ErrForgotten)
}
