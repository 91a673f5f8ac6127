package learning

import (
	"database/sql/driver"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

func TestArchivedExecutionsAreReadInTheOrderTheyAreKeptIn(t *testing.T) {
	t.Parallel()
	c, err := db.Connect(t.Context(), ":memory:")
	require.NoError(t, err)
	require.NoError(t, schema.Make(c))
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	profile, asOf, limit := db.Arg("profile", 1), db.Arg("as_of", noon), db.Arg("limit", 3)
	for _, test := range []struct {
		sql  string
		args []driver.NamedValue
		plan string
	}{
		{archivedBefore, []driver.NamedValue{profile, db.Arg("at", noon), db.Arg("key", "k"), limit}, `SEARCH x USING PRIMARY KEY (profile=? AND (at,key)<(?,?))`},
		{archivedUntil, []driver.NamedValue{profile, asOf, limit}, `SEARCH x USING PRIMARY KEY (profile=? AND at<?)`},
		{archivedSince, []driver.NamedValue{profile, asOf}, `SEARCH x USING PRIMARY KEY (profile=? AND at>?)`},
	} {
		plan := ""
		_, err := c.One(`EXPLAIN QUERY PLAN `+test.sql, func(r *db.Row) { plan, _ = r.Values[3].(string) }, test.args...)
		require.NoError(t, err)
		assert.Equal(t, test.plan, plan)
	}
	require.NoError(t, c.Close())
}

func TestTheArchiveKeepsEveryFieldOfAnExecution(t *testing.T) {
	t.Parallel()
	c, err := db.Connect(t.Context(), ":memory:")
	require.NoError(t, err)
	require.NoError(t, schema.Make(c))
	latency := 12.5
	e := &memory.Execution{
		Key: "x1", AgentKey: "ada", TaskType: "rebooking", Success: true, Quality: 0.75, LatencyMs: &latency,
		At: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Archived: true,
	}
	for field, value := range reflect.ValueOf(e).Elem().Fields() {
		require.False(t, value.IsZero(), field.Name)
	}
	var p *Profile
	require.NoError(t, db.Write(t.Context(), c, func(tx *db.Tx) error {
		p = open(tx, e.AgentKey, e.TaskType, e.At)
		p.archive(tx, e)
		return nil
	}))
	found, err := p.latestArchived(c, nil, 1)
	require.NoError(t, err)
	assert.Equal(t, []*memory.Execution{e}, found)
	require.NoError(t, c.Close())
}
