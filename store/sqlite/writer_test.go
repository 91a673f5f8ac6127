package sqlite

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store"
)

// add is a write that makes a node.
func add(key string) func(*conn) error {
	return func(c *conn) error {
		_, err := addNode(c, "agent", key)
		return err
	}
}

var errRefused = errors.New("refused")

func newJob(do func(*conn) error) *job { return &job{do: do, result: make(chan error, 1)} }

// stoppedWriter is a writer whose goroutine does not run, so that a test can hand it its groups.
func stoppedWriter(t *testing.T) (*writer, *Tenant) {
	t.Helper()
	tenant := openTenant(t, t.TempDir())
	tenant.change(t, `SELECT 1`) // it comes into being
	c, err := openWriter(t.Context(), tenant.path, defaultBusyTimeout)
	require.NoError(t, err)
	w := startWriter(c, tenant.path, tenant.backend.habits)
	close(w.stop)
	<-w.stopped
	t.Cleanup(func() { require.NoError(t, c.close()) })
	return w, tenant
}

func TestGroupCommitsTogether(t *testing.T) {
	w, tenant := stoppedWriter(t)
	nodes := func() int { return tenant.number(t, `SELECT count(*) FROM nodes`) }
	givenUp := newJob(add("given up"))
	givenUp.state.Store(jobGivenUp)
	group := []*job{
		newJob(add("first")),
		newJob(func(c *conn) error { return errors.Join(add("lost")(c), errRefused) }),
		givenUp,
		newJob(func(c *conn) error {
			assert.Zero(t, nodes(), "nothing is visible before the commit")
			return add("last")(c)
		}),
	}
	w.commit(group)
	require.NoError(t, <-group[0].result)
	require.ErrorIs(t, <-group[1].result, errRefused, "it fails alone")
	require.NoError(t, <-group[3].result)
	assert.Equal(t, 2, nodes())
	assert.Equal(t, 2, tenant.number(t, `SELECT count(*) FROM nodes WHERE key IN ('first', 'last')`))
}

func TestGroupIsLostTogether(t *testing.T) {
	w, tenant := stoppedWriter(t)
	group := []*job{
		newJob(add("first")),
		newJob(func(c *conn) error { // as a full disk does
			err := c.exec(`ROLLBACK`)
			return errors.Join(err, errRefused)
		}),
		newJob(add("last")),
	}
	w.commit(group)
	for _, j := range group {
		require.Error(t, <-j.result)
	}
	assert.Zero(t, tenant.number(t, `SELECT count(*) FROM nodes`))
	group = []*job{newJob(add("after"))}
	w.commit(group)
	require.NoError(t, <-group[0].result, "the writer goes on")
	assert.Equal(t, 1, tenant.number(t, `SELECT count(*) FROM nodes`))
}

func TestPanicFailsItsWriteAlone(t *testing.T) {
	w, tenant := stoppedWriter(t)
	group := []*job{
		newJob(add("first")),
		newJob(func(c *conn) error {
			if err := add("lost")(c); err != nil {
				return err
			}
			return c.query(`SELECT key FROM nodes`, func(*row) error { panic("amid the rows") })
		}),
		newJob(add("last")),
	}
	w.commit(group)
	require.NoError(t, <-group[0].result)
	err := <-group[1].result
	require.ErrorContains(t, err, "amid the rows")
	require.ErrorContains(t, err, "writer_test.go", "it says where")
	require.NoError(t, <-group[2].result)
	assert.Equal(t, 2, tenant.number(t, `SELECT count(*) FROM nodes WHERE key IN ('first', 'last')`))
	assert.Equal(t, 2, tenant.number(t, `SELECT count(*) FROM nodes`))
}

func TestPanicEndsItsSnapshot(t *testing.T) {
	tenant := openTenant(t, t.TempDir())
	tenant.mustRecord(t, record("e1", "x"))
	for range 2 * readerLimit {
		assert.PanicsWithValue(t, "amid the rows", func() {
			_ = tenant.snapshot(t.Context(), func(c *conn) error {
				return c.query(`SELECT key FROM nodes`, func(*row) error { panic("amid the rows") })
			})
		})
	}
	tenant.mustRecord(t, record("e2", "x"))
	for range 2 * readerLimit {
		require.NoError(t, tenant.snapshot(t.Context(), func(c *conn) error {
			episodes := 0
			_, err := c.one(`SELECT count(*) FROM episodes`, func(r *row) { episodes = r.int() })
			assert.Equal(t, 2, episodes, "no reader still looks at what was")
			return err
		}))
	}
}

func TestWriteGivenUpWhileItWaits(t *testing.T) {
	tenant := openTenant(t, t.TempDir())
	held, hold := make(chan struct{}), make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		assert.NoError(t, tenant.write(t.Context(), func(*conn) error {
			close(held)
			<-hold
			return nil
		}))
	})
	<-held
	ctx, cancel := context.WithCancel(t.Context())
	group.Go(func() { assert.ErrorIs(t, tenant.write(ctx, add("late")), context.Canceled) })
	cancel()
	group.Go(func() { assert.ErrorIs(t, tenant.write(ctx, add("later")), context.Canceled) })
	close(hold)
	group.Wait()
	assert.Zero(t, tenant.number(t, `SELECT count(*) FROM nodes`))
}

func TestClosedStore(t *testing.T) {
	backend := openBackend(t, t.TempDir())
	tenant := bindTenant(t, backend)
	tenant.mustRecord(t, record("e1", "x"))
	require.NoError(t, backend.Close(t.Context()))
	require.NoError(t, backend.Close(t.Context()), "a second call does nothing")
	_, err := tenant.RecordEpisodes(t.Context(), []store.EpisodeRecord{record("e2", "x")})
	require.ErrorIs(t, err, store.ErrUnavailable)
	_, err = tenant.CountAgents(t.Context())
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.ErrorIs(t, backend.Check(t.Context()), store.ErrUnavailable)
	_, err = backend.Tenant(t.Context(), "other")
	require.ErrorIs(t, err, store.ErrUnavailable)
}

// Two handles stand for two processes: SQLite's locks do not tell them apart.
func TestTwoHandlesOnOneDirectory(t *testing.T) {
	dir := t.TempDir()
	tenants := []*Tenant{openTenant(t, dir), openTenant(t, dir)}
	tenants[0].mustRecord(t, record("e", "x"))
	require.Equal(t, 1, tenants[1].number(t, `SELECT count(*) FROM episodes`), "seen at once")
	const each = 40
	var group sync.WaitGroup
	for i := range 2 * each {
		group.Go(func() {
			_, err := tenants[i%2].RecordEpisodes(t.Context(), []store.EpisodeRecord{record(fmt.Sprint("e", i), "x")})
			assert.NoError(t, err)
		})
	}
	group.Wait()
	for _, tenant := range tenants {
		assert.Equal(t, 2*each+1, tenant.number(t, `SELECT count(*) FROM episodes`))
		assert.Equal(t, 2*each+1, tenant.number(t, `SELECT records FROM stems WHERE stem = 'x'`))
	}
}

func TestATenantIsMadeByItsFirstWrite(t *testing.T) {
	dir := t.TempDir()
	reading, writing := openTenant(t, dir), openTenant(t, dir)
	require.Zero(t, reading.number(t, `SELECT count(*) FROM nodes`))
	require.NoFileExists(t, reading.path)
	writing.mustRecord(t, record("e1", "x"))
	require.FileExists(t, reading.path)
	require.Equal(t, 2, reading.number(t, `SELECT count(*) FROM nodes`), "by another process too")
}
