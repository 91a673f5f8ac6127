package file

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store/sqlite/db"
)

// add is a write that makes a node.
func add(key string) func(*db.Tx) error {
	return func(tx *db.Tx) error {
		return tx.Conn.Exec(`INSERT INTO nodes (kind, key) VALUES ('agent', :key)`, db.Arg("key", key))
	}
}

var errRefused = errors.New("refused")

func newJob(do func(*db.Tx) error) *job {
	return &job{ctx: context.Background(), do: do, result: make(chan error, 1)}
}

// stoppedWriter is a writer whose goroutine does not run, so that a test can hand it its groups.
func stoppedWriter(t *testing.T) (*writer, *File) {
	t.Helper()
	file := openTenantFile(t, t.TempDir())
	require.NoError(t, file.Write(t.Context(), func(*db.Tx) error { return nil })) // it comes into being
	c, err := openWriter(t.Context(), file.Path, file.directory.Options)
	require.NoError(t, err)
	w := startWriter(c, place{path: file.Path}, file.directory.Options)
	close(w.stop)
	<-w.stopped
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return w, file
}

func TestGroupCommitsTogether(t *testing.T) {
	t.Parallel()
	w, file := stoppedWriter(t)
	nodes := func() int { return file.number(t, `SELECT count(*) FROM nodes`) }
	givenUp := newJob(add("given up"))
	givenUp.taken.Store(true)
	group := []*job{
		newJob(add("first")),
		newJob(func(c *db.Tx) error { return errors.Join(add("lost")(c), errRefused) }),
		givenUp,
		newJob(func(c *db.Tx) error {
			assert.Zero(t, nodes(), "nothing is visible before the commit")
			return add("last")(c)
		}),
	}
	w.commit(group)
	require.NoError(t, <-group[0].result)
	require.ErrorIs(t, <-group[1].result, errRefused, "it fails alone")
	require.NoError(t, <-group[3].result)
	assert.Equal(t, 2, nodes())
	assert.Equal(t, 2, file.number(t, `SELECT count(*) FROM nodes WHERE key IN ('first', 'last')`))
}

func TestGroupIsLostTogether(t *testing.T) {
	t.Parallel()
	w, file := stoppedWriter(t)
	group := []*job{
		newJob(add("first")),
		newJob(func(c *db.Tx) error { // as a full disk does
			err := c.Conn.Exec(`ROLLBACK`)
			return errors.Join(err, errRefused)
		}),
		newJob(add("last")),
	}
	w.commit(group)
	for _, j := range group {
		require.Error(t, <-j.result)
	}
	assert.Zero(t, file.number(t, `SELECT count(*) FROM nodes`))
	group = []*job{newJob(add("after"))}
	w.commit(group)
	require.NoError(t, <-group[0].result, "the writer goes on")
	assert.Equal(t, 1, file.number(t, `SELECT count(*) FROM nodes`))
}

func TestPanicFailsItsWriteAlone(t *testing.T) {
	t.Parallel()
	w, file := stoppedWriter(t)
	group := []*job{
		newJob(add("first")),
		newJob(func(c *db.Tx) error {
			if err := add("lost")(c); err != nil {
				return err
			}
			return c.Query(`SELECT key FROM nodes`, func(*db.Row) { panic("amid the rows") })
		}),
		newJob(add("last")),
	}
	w.commit(group)
	require.NoError(t, <-group[0].result)
	err := <-group[1].result
	require.ErrorContains(t, err, "amid the rows")
	require.ErrorContains(t, err, "writer_test.go", "it says where")
	require.NoError(t, <-group[2].result)
	assert.Equal(t, 2, file.number(t, `SELECT count(*) FROM nodes WHERE key IN ('first', 'last')`))
	assert.Equal(t, 2, file.number(t, `SELECT count(*) FROM nodes`))
}

func TestPanicEndsItsSnapshot(t *testing.T) {
	t.Parallel()
	file := openTenantFile(t, t.TempDir())
	require.NoError(t, file.Write(t.Context(), add("e1")))
	for range 2 * readerLimit {
		assert.PanicsWithValue(t, "amid the rows", func() {
			_ = file.Snapshot(t.Context(), func(c *db.Conn) error {
				return c.Query(`SELECT key FROM nodes`, func(*db.Row) { panic("amid the rows") })
			})
		})
	}
	require.NoError(t, file.Write(t.Context(), add("e2")))
	for range 2 * readerLimit {
		require.NoError(t, file.Snapshot(t.Context(), func(c *db.Conn) error {
			nodes := 0
			_, err := c.One(`SELECT count(*) FROM nodes`, func(r *db.Row) { nodes = r.Int() })
			assert.Equal(t, 2, nodes, "no reader still looks at what was")
			return err
		}))
	}
}

func TestWriteGivenUpWhileItWaits(t *testing.T) {
	t.Parallel()
	file := openTenantFile(t, t.TempDir())
	held, hold := make(chan struct{}), make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		assert.NoError(t, file.Write(t.Context(), func(*db.Tx) error {
			close(held)
			<-hold
			return nil
		}))
	})
	<-held
	ctx, cancel := context.WithCancel(t.Context())
	group.Go(func() { assert.ErrorIs(t, file.Write(ctx, add("late")), context.Canceled) })
	cancel()
	group.Go(func() { assert.ErrorIs(t, file.Write(ctx, add("later")), context.Canceled) })
	close(hold)
	group.Wait()
	assert.Zero(t, file.number(t, `SELECT count(*) FROM nodes`))
}
