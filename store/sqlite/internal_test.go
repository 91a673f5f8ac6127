package sqlite

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
)

// noon is when the tests' records happen.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// openBackend opens a directory until the test ends.
func openBackend(t *testing.T, dir string) *Backend {
	t.Helper()
	backend, err := Open(t.Context(), Options{Dir: dir})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	return backend
}

// openTenant opens the tenant "t" of a directory.
func openTenant(t *testing.T, dir string) *Tenant {
	t.Helper()
	return bindTenant(t, openBackend(t, dir))
}

func bindTenant(t *testing.T, backend *Backend) *Tenant {
	t.Helper()
	bound, err := backend.Tenant(t.Context(), "t")
	require.NoError(t, err)
	tenant, ok := bound.(*Tenant)
	require.True(t, ok)
	return tenant
}

// openWithout opens a directory without vectors.
func openWithout(t *testing.T, dir string) *Tenant {
	t.Helper()
	backend, err := Open(t.Context(), Options{Dir: dir, WithoutVectors: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	return bindTenant(t, backend)
}

func (t *Tenant) mustDue(tb testing.TB) int {
	tb.Helper()
	waiting, err := t.Backlog(tb.Context())
	require.NoError(tb, err)
	return waiting.Vectors
}

// record is an episode of agent "a" with an observation.
func record(key, observation string) store.EpisodeRecord {
	return store.EpisodeRecord{
		Episode: memory.Episode{
			Key: key, AgentKey: "a", Observation: observation, Insight: "none", Outcome: memory.OutcomeSuccess,
			Concluded: true, StartedAt: noon, CreatedAt: noon,
		},
		InputHash: []byte(key + observation),
	}
}

func (t *Tenant) mustRecord(tb testing.TB, records ...store.EpisodeRecord) {
	tb.Helper()
	_, err := t.InputKey(tb.Context()) // as is asked for before anything is written
	require.NoError(tb, err)
	recorded, err := store.Record(tb.Context(), t, records)
	require.NoError(tb, err)
	for _, r := range recorded {
		require.NoError(tb, r.Err)
	}
}

// number runs a query for one number.
func (t *Tenant) number(tb testing.TB, sql string) int {
	tb.Helper()
	n, err := t.count(tb.Context(), sql, nil)
	require.NoError(tb, err)
	return n
}

// change runs SQL in the writer.
func (t *Tenant) change(tb testing.TB, sql string) {
	tb.Helper()
	require.NoError(tb, t.file.Write(tb.Context(), func(c *db.Tx) error {
		c.Exec(sql)
		return nil
	}))
}
