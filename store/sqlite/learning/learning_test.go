package learning

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

func TestExecutionsAreReadInTheOrderTheyAreKeptIn(t *testing.T) {
	t.Parallel()
	c, err := db.Connect(t.Context(), ":memory:")
	require.NoError(t, err)
	require.NoError(t, schema.Own.Make(c))
	for _, sql := range []string{windowOf, oldestOf, pageOf} {
		var plan []string
		require.NoError(t, c.Query(`EXPLAIN QUERY PLAN `+sql, func(r *db.Row) {
			step, _ := r.Values[3].(string)
			plan = append(plan, step)
		}, latestArgs("ada/rebooking", nil, nil, memory.WindowSize, 0)...))
		assert.Equal(t, `SEARCH x USING PRIMARY KEY (profile=? AND (at,key)<(?,?))`, plan[0])
		assert.NotContains(t, plan, "USE TEMP B-TREE FOR ORDER BY")
	}
	require.NoError(t, c.Close())
}
