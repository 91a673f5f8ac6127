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
		require.Eventually(t, func() bool { return tenant.isVacuuming(t) }, time.Minute, time.Millisecond)
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

// Who writes waits for a vacuum of another process longer than for others, and is told of it.
func TestWritesWaitForAVacuumAsLongAsItTakes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	other := openTenant(t, dir)
	other.mustRecord(t, record("e1", "stays"))
	var told []error
	backend, err := Open(t.Context(), Options{Dir: dir, BusyTimeout: time.Millisecond, OnDelay: func(reason error) { told = append(told, reason) }})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	tenant := bindTenant(t, backend)
	add := func(ctx context.Context, key string) error { return tenant.file.Write(ctx, addAgent(key)) }
	locked := func(do func()) {
		require.NoError(t, other.file.Write(t.Context(), func(*db.Tx) error { do(); return nil }))
	}
	locked(func() {
		err := add(t.Context(), "refused")
		require.ErrorIs(t, err, store.ErrUnavailable)
		assert.NotErrorIs(t, err, store.ErrCompacting)
	})
	other.change(t, `INSERT INTO settings (name, value) VALUES ('vacuum', 7), ('vacuuming', 6)`) // something was deleted since it began
	late := make(chan error, 1)
	locked(func() {
		limited, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		require.ErrorIs(t, add(limited, "no time"), store.ErrCompacting)
		go func() { late <- add(context.WithoutCancel(t.Context()), "late") }()
		select {
		case err := <-late:
			assert.Fail(t, "it did not wait", "%v", err)
		case <-time.After(50 * time.Millisecond): // fifty times as long as it has patience
		}
	})
	require.NoError(t, <-late)
	require.NotEmpty(t, told)
	assert.ErrorIs(t, told[0], store.ErrCompacting)
}

// What is broken off leaves the file as it was, and stays due.
func TestVacuumIsBrokenOff(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backend := openBackend(t, dir)
	tenant := bindTenant(t, backend)
	recordCrowd(t, tenant, 8, 900)
	_, err := tenant.Delete(t.Context(), memory.KindAgent, []string{"victimzz"})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	_, err = tenant.Compact(ctx, func(store.CompactStep) { cancel() })
	require.ErrorIs(t, err, context.Canceled)
	assert.True(t, tenant.isDue(t))
	assert.False(t, tenant.isVacuuming(t), "nobody waits for it")
	requireWhole(t, examined(t, backend))
	requireGone(t, tenant, []string{"victimzz"})
}

// A vacuum waits for those who still read what was there before, and tells so.
func TestVacuumWaitsForReaders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	reader, tenant := openTenant(t, dir), openTenant(t, dir)
	recordCrowd(t, tenant, 9, 300)
	held, done := make(chan struct{}), make(chan error, 1)
	var once sync.Once
	require.NoError(t, reader.file.Snapshot(t.Context(), func(c *db.Conn) error {
		require.NoError(t, graph.Ping(c))
		_, err := tenant.Delete(t.Context(), memory.KindAgent, []string{"victimzz"})
		require.NoError(t, err)
		go func() {
			_, err := tenant.Compact(context.WithoutCancel(t.Context()), func(step store.CompactStep) {
				if step.Held {
					once.Do(func() { close(held) })
				}
			})
			done <- err
		}()
		<-held
		assert.NotEmpty(t, traces(t, dir, "victimzz"), "the reader still sees it")
		return nil
	}))
	require.NoError(t, <-done)
	assert.Empty(t, traces(t, dir, "victimzz"))
	assert.False(t, tenant.isDue(t))
}

func TestCompactGivesBackRoom(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	sizes, err := tenant.Compact(t.Context(), nil)
	require.NoError(t, err)
	assert.Zero(t, sizes, "there is no file")
	recordCrowd(t, tenant, 10, 900)
	for _, agent := range []string{"victimzz", "a"} {
		_, err := tenant.Delete(t.Context(), memory.KindAgent, []string{agent})
		require.NoError(t, err)
	}
	sizes, err = tenant.Compact(t.Context(), nil)
	require.NoError(t, err)
	info, err := os.Stat(tenant.file.Path)
	require.NoError(t, err)
	assert.Less(t, 2*sizes.After, sizes.Before)
	assert.Equal(t, info.Size(), sizes.After, "the log is empty")
}
