package sqlite

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store"
)

var errAmid = errors.New("amid a write")

func TestClosedStore(t *testing.T) {
	t.Parallel()
	backend := openBackend(t, t.TempDir())
	tenant := bindTenant(t, backend)
	tenant.mustRecord(t, record("e1", "x"))
	require.NoError(t, backend.Close(t.Context()))
	require.NoError(t, backend.Close(t.Context()), "a second call does nothing")
	_, err := store.Record(t.Context(), tenant, []store.EpisodeRecord{record("e2", "x")})
	require.ErrorIs(t, err, store.ErrUnavailable)
	_, err = store.Count(t.Context(), tenant, store.AllAgents{})
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.ErrorIs(t, backend.Check(t.Context()), store.ErrUnavailable)
	_, err = backend.Tenant(t.Context(), "other")
	require.ErrorIs(t, err, store.ErrUnavailable)
}

// Two handles stand for two processes: SQLite's locks do not tell them apart.
func TestTwoHandlesOnOneDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tenants := []*Tenant{openTenant(t, dir), openTenant(t, dir)}
	tenants[0].mustRecord(t, record("e", "x"))
	require.Equal(t, 1, tenants[1].number(t, `SELECT count(*) FROM episodes`), "seen at once")
	const each = 40
	var group sync.WaitGroup
	for i := range 2 * each {
		group.Go(func() {
			_, err := store.Record(t.Context(), tenants[i%2], []store.EpisodeRecord{record(fmt.Sprint("e", i), "x")})
			assert.NoError(t, err)
		})
	}
	group.Wait()
	for _, tenant := range tenants {
		assert.Equal(t, 2*each+1, tenant.number(t, `SELECT count(*) FROM episodes`))
		assert.Equal(t, 2*each+1, tenant.number(t, `SELECT count(*) FROM passages WHERE text = 'x'`))
	}
}

func TestATenantIsMadeByItsFirstWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	reading, writing := openTenant(t, dir), openTenant(t, dir)
	require.Zero(t, reading.number(t, `SELECT count(*) FROM nodes`))
	require.NoFileExists(t, reading.file.Path)
	writing.mustRecord(t, record("e1", "x"))
	require.FileExists(t, reading.file.Path)
	require.Equal(t, 2, reading.number(t, `SELECT count(*) FROM nodes`), "by another process too")
}
