package keyring

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store/sqlite/db"
)

// A tenant's keys are found by the index and come in its order, however many keys others have.
func TestKeysOfATenantAreReadInTheOrderTheyAreKeptIn(t *testing.T) {
	t.Parallel()
	c, err := db.Connect(t.Context(), ":memory:")
	require.NoError(t, err)
	require.NoError(t, schema.Make(c))
	var plan []string
	sql, args := listing(new("acme"))
	require.NoError(t, c.Query(`EXPLAIN QUERY PLAN `+sql, func(r *db.Row) {
		step, _ := r.Values[3].(string)
		plan = append(plan, step)
	}, args...))
	assert.Equal(t, []string{"SEARCH keys USING INDEX keys_by_tenant (tenant=?)"}, plan)
	require.NoError(t, c.Close())
}
