package sqlite

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// Whatever goes by weight looks at all observations, and several of it are counted as sums are.
func TestWhatGoesByWeightIsCounted(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	records := make([]store.ObservationRecord, 3*weighedTogether)
	for i := range records {
		records[i] = notice(fmt.Sprintf("o%02d", i), "The ledger differs")
	}
	tenant.mustObserve(t, records...)
	ctx, budget, done := store.WithBudget(t.Context(), store.Limits{Summed: 8})
	defer done()
	list := func(query store.ObservationQuery) error {
		_, _, err := store.List(ctx, tenant, query, store.Page{Limit: 1})
		return err
	}
	require.NoError(t, list(store.ObservationQuery{Order: memory.LatestFirst}))
	require.Zero(t, budget.Spent().Summed)
	require.NoError(t, list(store.ObservationQuery{Order: memory.HeaviestFirst}))
	_, err := store.Count(ctx, tenant, store.ObservationQuery{MinWeight: new(0.5)})
	require.NoError(t, err)
	require.EqualValues(t, 6, budget.Spent().Summed)
	var limit *memory.Error
	require.ErrorAs(t, list(store.ObservationQuery{MaxWeight: new(0.5)}), &limit)
	require.Equal(t, memory.CodeLimitExceeded, limit.Code)

	alone, _, done := store.WithBudget(t.Context(), store.Limits{Summed: 1})
	defer done()
	_, _, err = store.List(alone, tenant, store.ObservationQuery{Order: memory.HeaviestFirst}, store.Page{Limit: 1})
	require.NoError(t, err, "one alone is always answered")
}
