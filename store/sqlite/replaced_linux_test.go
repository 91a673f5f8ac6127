package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store"
)

func (t *Tenant) tryRecord(ctx context.Context, key string) error {
	_, err := store.Record(ctx, t, []store.EpisodeRecord{record(key, "x")})
	return err
}

// A file that is removed or replaced while it is open takes no write, and answers nothing, until it is back.
func TestAFileThatIsNotThereAnyMore(t *testing.T) {
	t.Parallel()
	for what, spoil := range map[string]struct{ do, undo func(path string) error }{
		"moved":    {func(path string) error { return os.Rename(path, path+".old") }, func(path string) error { return os.Rename(path+".old", path) }},
		"replaced": {func(path string) error { return replace(path) }, func(path string) error { return os.Rename(path+".old", path) }},
		"its log":  {func(path string) error { return os.Rename(path+"-wal", path+".old") }, func(path string) error { return os.Rename(path+".old", path+"-wal") }},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			backend := openBackend(t, dir)
			tenant := bindTenant(t, backend)
			tenant.mustRecord(t, record("e1", "x"))
			require.NoError(t, spoil.do(filepath.Join(dir, "t.db")))
			require.ErrorIs(t, tenant.tryRecord(t.Context(), "e2"), store.ErrReplaced)
			_, err := store.Count(t.Context(), tenant, store.AllAgents{})
			require.ErrorIs(t, err, store.ErrUnavailable)
			require.ErrorIs(t, backend.Check(t.Context()), store.ErrReplaced)
			require.NoError(t, spoil.undo(filepath.Join(dir, "t.db")))
			require.NoError(t, tenant.tryRecord(t.Context(), "e3"))
			assert.Equal(t, 2, tenant.number(t, `SELECT count(*) FROM episodes`))
		})
	}
}

func replace(path string) error {
	if err := os.Rename(path, path+".old"); err != nil {
		return err
	}
	return os.WriteFile(path, nil, 0o600)
}

// What was acknowledged before a file was moved away is in it, whatever was under way.
func TestNothingIsAcknowledgedThatWentWithItsFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tenant := openTenant(t, dir)
	tenant.mustRecord(t, record("first", "x"))
	var acknowledged [4]atomic.Int64
	var group sync.WaitGroup
	for writer := range acknowledged {
		group.Go(func() {
			for n := 0; ; n++ {
				if tenant.tryRecord(t.Context(), fmt.Sprintf("e-%d-%d", writer, n)) != nil {
					return
				}
				acknowledged[writer].Add(1)
			}
		})
	}
	require.Eventually(t, func() bool { return acknowledged[0].Load() > 10 }, time.Minute, time.Millisecond)
	path := filepath.Join(dir, "t.db")
	require.NoError(t, os.Remove(path))
	told := int64(0)
	for writer := range acknowledged {
		told += acknowledged[writer].Load()
	}
	group.Wait()
	after := int64(0)
	for writer := range acknowledged {
		after += acknowledged[writer].Load()
	}
	assert.LessOrEqual(t, after-told, int64(len(acknowledged)), "but for those that were committed before")
}

// A server that restarts where only a log is left, or that of another file, says so; restoring puts it right.
func TestABackupBesideTheLogOfAnother(t *testing.T) {
	t.Parallel()
	live, dir, backup := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "backup.db")
	tenant := openTenant(t, live)
	tenant.mustRecord(t, record("old", "x"))
	require.NoError(t, tenant.Backup(t.Context(), backup))
	tenant.mustRecord(t, record("new", "x"))
	path := filepath.Join(dir, "t.db")
	copied := func(from, to string) {
		content, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to, content, 0o600))
	}
	copied(filepath.Join(live, "t.db-wal"), path+"-wal") // as kill -9 leaves it
	for _, main := range []string{"", backup} {
		if main != "" {
			copied(main, path)
		}
		backend := openBackend(t, dir)
		_, err := backend.Tenant(t.Context(), "t")
		require.ErrorIs(t, err, store.ErrStaleLog)
		if main != "" {
			assert.Contains(t, examined(t, backend)["integrity"].Remedy, "mneme restore FILE")
		}
	}
	require.ErrorIs(t, RestoreBackup(t.Context(), live, "t", backup), ErrInUse)
	require.NoError(t, RestoreBackup(t.Context(), dir, "t", backup))
	restored := bindTenant(t, openBackend(t, dir))
	assert.Equal(t, 1, restored.number(t, `SELECT count(*) FROM episodes`))
	restored.mustRecord(t, record("later", "x"))
	left, err := filepath.Glob(filepath.Join(dir, ".t.db-*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

// What is in the directory beside a tenant's file keeps it neither from being used nor from being examined.
func TestStrayFilesKeepNobodyOut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	openTenant(t, dir).mustRecord(t, record("e1", "x"))
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, syscall.Mkfifo(at("pipe.db"), 0o600))
	require.NoError(t, syscall.Mkfifo(at("_keys.db"), 0o600))
	require.NoError(t, os.Mkdir(at("folder.db"), 0o700))
	require.NoError(t, os.WriteFile(at("damaged.db"), make([]byte, 5000), 0o600))
	require.NoError(t, os.WriteFile(at("My Notes.db"), []byte("no database"), 0o600))
	require.NoError(t, os.WriteFile(at("empty.db"), nil, 0o600))

	backend := openBackend(t, dir)
	assert.Equal(t, 1, bindTenant(t, backend).number(t, `SELECT count(*) FROM episodes`))
	known, err := backend.Tenants(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"damaged", "t"}, known)
	for _, tenant := range []string{"pipe", "folder", "damaged"} {
		bound, err := backend.Tenant(t.Context(), tenant)
		require.Error(t, err, tenant)
		require.Nil(t, bound)
	}
	_, err = backend.Key(t.Context(), "mneme_aaaaaaaa")
	require.ErrorIs(t, err, store.ErrUnavailable)
	findings, err := backend.Examine(t.Context())
	require.NoError(t, err)
	faults := map[string]bool{}
	for _, finding := range findings {
		faults[finding.Tenant] = faults[finding.Tenant] || finding.Fault != ""
	}
	assert.Equal(t, map[string]bool{"": true, "t": false, "pipe": true, "folder": true, "damaged": true, "empty": false}, faults)
}
