package sqlite

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/storetest"
)

// Files to be compacted and records without vectors wait.
func TestWhatWaitsIsCounted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	without := openWithout(t, dir)
	furnish(t, without)
	require.Equal(t, store.Backlog{}, requireBacklog(t, without), "no vectors are wanted")
	require.NoError(t, storetest.Delete(t.Context(), without, memory.KindObservation, "o1"))
	require.Equal(t, store.Backlog{Compactions: 1}, requireBacklog(t, without))

	with := openTenant(t, dir)
	due := with.mustDue(t)
	require.Positive(t, due)
	require.Equal(t, store.Backlog{Compactions: 1, Vectors: due}, requireBacklog(t, with))
	_, err := with.Reindex(t.Context(), nil, nil)
	require.NoError(t, err)
	require.Equal(t, store.Backlog{Compactions: 1}, requireBacklog(t, with))
}

func requireBacklog(t *testing.T, tenant *Tenant) store.Backlog {
	t.Helper()
	all, err := tenant.Backlog(t.Context())
	require.NoError(t, err)
	return all
}
