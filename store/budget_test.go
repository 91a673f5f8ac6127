package store_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store"
)

// What is read for a share counts for the request, unless it comes to more than the share.
func TestShareOfABudget(t *testing.T) {
	t.Parallel()
	ctx, whole, done := store.WithBudget(t.Context(), store.Limits{ReadBytes: 100})
	defer done()
	within, share, end := store.WithShare(ctx, 30)
	require.NoError(t, store.BudgetOf(within).Read(1, store.Texts{Bytes: 20, Answered: 25}))
	assert.EqualValues(t, 20, whole.Spent().ReadBytes)
	end()
	require.NoError(t, share.Err())

	within, share, end = store.WithShare(ctx, 1000)
	require.NoError(t, store.BudgetOf(within).Read(1, store.Texts{Bytes: 40, Answered: 40}))
	require.Error(t, store.BudgetOf(within).Read(1, store.Texts{Bytes: 1, Answered: 1}), "half of what is left")
	end()
	require.Error(t, share.Err())
	require.Error(t, within.Err())
	require.NoError(t, ctx.Err())
	require.NoError(t, whole.Err())
	assert.Equal(t, store.Limits{Records: 1, ReadBytes: 20}, whole.Spent())
}
