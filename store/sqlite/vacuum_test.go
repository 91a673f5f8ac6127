package sqlite

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/forgetting"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/storetest"
)

var errBroken = errors.New("it was broken off")

// breaking is an eraser that is broken off after some parts.
type breaking struct {
	*eraser
	parts int
}

func (b *breaking) Part(ctx context.Context, do func(forgetting.Tx) error) error {
	if b.parts--; b.parts < 0 {
		return errBroken
	}
	return b.eraser.Part(ctx, do)
}

// What is broken off after its first episodes, as by a kill, is gone on with.
func TestDeletingAnAgentIsGoneOnWith(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backend := openBackend(t, dir)
	tenant := bindTenant(t, backend)
	recordCrowd(t, tenant, 3, 900)
	_, err := forgetting.Delete(t.Context(), &breaking{eraser: &eraser{Tenant: tenant}, parts: 3}, memory.KindAgent, []string{"victimzz"})
	require.ErrorIs(t, err, errBroken)
	assert.Equal(t, 200, tenant.number(t, `SELECT total FROM profiles p JOIN agents a ON a.id = p.agent WHERE a.name = 'victimzz'`))
	requireWhole(t, examined(t, backend))
	recorded, err := tenant.Restore(t.Context(), []store.Item{&store.AgentItem{Agent: memory.Agent{Key: "victimzz", Name: "again"}}}, false)
	require.NoError(t, err)
	assert.False(t, recorded[0].Created)
	require.NoError(t, backend.Close(t.Context()))

	backend = openBackend(t, dir)
	tenant = bindTenant(t, backend)
	count, err := tenant.Delete(t.Context(), memory.KindAgent, []string{"victimzz"})
	require.NoError(t, err)
	assert.Equal(t, 200, count)
	requireGone(t, tenant, []string{"victimzz"})
	requireWordsAgree(t, tenant)
	requireWhole(t, examined(t, backend))
}

// What is due stays due, the doctor says so, and the next that has nothing to write does it.
func TestVacuumIsMadeUpForWhenNothingIsWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backend := openBackend(t, dir)
	tenant := bindTenant(t, backend)
	recordCrowd(t, tenant, 4, 900)
	assert.Contains(t, examined(t, backend)["what was deleted"].Found, "nothing")
	_, err := tenant.Delete(t.Context(), memory.KindAgent, []string{"victimzz"})
	require.NoError(t, err)
	require.NoError(t, backend.Close(t.Context()))

	backend = openBackend(t, dir)
	backend.Idle = 10 * time.Millisecond
	finding := examined(t, backend)["what was deleted"]
	assert.Empty(t, finding.Fault)
	assert.Contains(t, finding.Found, "mneme compact is due")
	tenant = bindTenant(t, backend)
	assert.Eventually(t, func() bool { return !tenant.isDue(t) }, time.Minute, 10*time.Millisecond)
	assert.Empty(t, traces(t, dir, "victimzz"))
	requireWordsAgree(t, tenant)
	requireWhole(t, examined(t, backend))
}

// A server binds the tenants in which something is due, whether or not anybody asks for them.
func TestFilesToBeVacuumedAreDue(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backend := openBackend(t, dir)
	for _, id := range []string{"due", "clean", "also-due"} {
		bound, err := backend.Tenant(t.Context(), id)
		require.NoError(t, err)
		tenant, ok := bound.(*Tenant)
		require.True(t, ok)
		tenant.mustRecord(t, record("e1", "stays"))
		if id != "clean" {
			require.NoError(t, storetest.Delete(t.Context(), tenant, memory.KindEpisode, "e1"))
		}
	}
	require.NoError(t, backend.Close(t.Context()))

	backend = openBackend(t, dir)
	due, err := backend.Due(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"also-due", "due"}, due)
	require.NoError(t, backend.Directory.Check(t.Context(), func(*db.Conn) error { return errors.New("is bound") }), "nothing is opened to be asked")
}

// Who comes to write ends a vacuum that nobody asked for; it is done later.
func TestWritesGoBeforeAVacuumOfTheIdle(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	reader := openTenant(t, dir)
	recordCrowd(t, reader, 5, 300)
	backend := openBackend(t, dir)
	backend.Idle = 10 * time.Millisecond
	tenant := bindTenant(t, backend)
	require.NoError(t, reader.file.Snapshot(t.Context(), func(c *db.Conn) error { // holds up the vacuum
		require.NoError(t, graph.Ping(c))
		_, err := tenant.Delete(t.Context(), memory.KindAgent, []string{"victimzz"})
		require.NoError(t, err)
		tenant.awaitVacuum(t)
		tenant.mustRecord(t, record("late", "comes while it waits"))
		return nil
	}))
	assert.Eventually(t, func() bool { return !tenant.isDue(t) }, time.Minute, 10*time.Millisecond)
	assert.Empty(t, traces(t, dir, "victimzz"))
	requireWhole(t, examined(t, backend))
}

// Others read and write while the file is vacuumed, lose nothing, and are not told that they cannot.
func TestOthersWorkWhileTheFileIsVacuumed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backend := openBackend(t, dir)
	tenant := bindTenant(t, backend)
	recordCrowd(t, tenant, 6, 1500)
	_, err := tenant.Delete(t.Context(), memory.KindAgent, []string{"victimzz"})
	require.NoError(t, err)
	stop := make(chan struct{})
	var others sync.WaitGroup
	var keys [2][]string
	for i, other := range []*Tenant{tenant, openTenant(t, dir)} {
		others.Go(func() {
			for {
				key := string(rune('A'+i)) + time.Now().String()
				other.mustRecord(t, record(key, "stays "+key))
				keys[i] = append(keys[i], key)
				assert.Positive(t, other.number(t, `SELECT count(*) FROM nodes`))
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	tenant.mustCompact(t)
	close(stop)
	others.Wait()
	assert.Empty(t, traces(t, dir, "victimzz"))
	kept, err := tenant.Episodes(t.Context(), store.EpisodesByKey{Keys: slices.Concat(keys[0], keys[1])})
	require.NoError(t, err)
	assert.NotContains(t, kept, (*memory.Episode)(nil))
	requireWordsAgree(t, tenant)
	requireWhole(t, examined(t, backend))
}

// What is broken off, here while it waits for those who still read what was there before, leaves the file as it was and
// stays due.
func TestVacuumWaitsForReaders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	reader, backend := openTenant(t, dir), openBackend(t, dir)
	tenant := bindTenant(t, backend)
	recordCrowd(t, tenant, 9, 300)
	done := make(chan error, 1)
	require.NoError(t, reader.file.Snapshot(t.Context(), func(c *db.Conn) error {
		require.NoError(t, graph.Ping(c))
		_, err := tenant.Delete(t.Context(), memory.KindAgent, []string{"victimzz"})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			_, err := tenant.Compact(ctx)
			done <- err
		}()
		tenant.awaitVacuum(t)
		cancel()
		require.ErrorIs(t, <-done, context.Canceled)
		assert.True(t, tenant.isDue(t))
		requireWhole(t, examined(t, backend))
		go func() {
			_, err := tenant.Compact(context.WithoutCancel(t.Context()))
			done <- err
		}()
		tenant.awaitVacuum(t)
		assert.NotEmpty(t, traces(t, dir, "victimzz"), "the reader still sees it")
		return nil
	}))
	require.NoError(t, <-done)
	assert.Empty(t, traces(t, dir, "victimzz"))
	assert.False(t, tenant.isDue(t))
}

// awaitVacuum waits until a vacuum has written the file anew to the log.
func (t *Tenant) awaitVacuum(tb testing.TB) {
	tb.Helper()
	size := func() int64 {
		info, err := os.Stat(t.file.Path + "-wal")
		require.NoError(tb, err)
		return info.Size()
	}
	before := size()
	require.Eventually(tb, func() bool { return size() > before+100<<10 }, time.Minute, time.Millisecond)
}

func TestCompactGivesBackRoom(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	sizes, err := tenant.Compact(t.Context())
	require.NoError(t, err)
	assert.Zero(t, sizes, "there is no file")
	recordCrowd(t, tenant, 10, 900)
	for _, agent := range []string{"victimzz", "a"} {
		_, err := tenant.Delete(t.Context(), memory.KindAgent, []string{agent})
		require.NoError(t, err)
	}
	sizes, err = tenant.Compact(t.Context())
	require.NoError(t, err)
	info, err := os.Stat(tenant.file.Path)
	require.NoError(t, err)
	assert.Less(t, 2*sizes.After, sizes.Before)
	assert.Equal(t, info.Size(), sizes.After, "the log is empty")
}
