package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store"
)

func exported(t *testing.T, tenant *Tenant) (items []store.Item) {
	t.Helper()
	require.NoError(t, tenant.Export(t.Context(), func(item store.Item) error {
		items = append(items, item)
		return nil
	}))
	return items
}

func TestBackupIsTheTenantAtItsStart(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	recordSecrets(t, tenant)
	for i := range 200 {
		tenant.mustObserve(t, notice(fmt.Sprint(i), "something that was noticed"))
	}
	want := exported(t, tenant)

	dir := t.TempDir()
	path := filepath.Join(dir, "t.db")
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() { // writes go on meanwhile
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				_, err := store.Record(context.WithoutCancel(t.Context()), tenant, []store.EpisodeRecord{record(fmt.Sprint("late ", i), "later")})
				assert.NoError(t, err)
			}
		}
	}()
	require.NoError(t, tenant.Backup(t.Context(), path))
	close(stop)
	<-done

	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	copied := exported(t, openTenant(t, dir))
	assert.Subset(t, copied, want)
	assert.LessOrEqual(t, len(copied), len(exported(t, tenant)))
}

func TestBackupToARelativePath(t *testing.T) {
	tenant := openTenant(t, t.TempDir())
	recordSecrets(t, tenant)
	want, dir := exported(t, tenant), t.TempDir()
	t.Chdir(dir)
	require.NoError(t, tenant.Backup(t.Context(), "t.db"))
	assert.Equal(t, want, exported(t, openTenant(t, dir)))
}

func TestBackupOverwritesNothing(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	recordSecrets(t, tenant)
	path := filepath.Join(t.TempDir(), "there")
	require.NoError(t, os.WriteFile(path, []byte("mine"), 0o600))
	require.ErrorIs(t, tenant.Backup(t.Context(), path), os.ErrExist)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "mine", string(content))
}

// lookingOn is a context that looks around whenever somebody asks whether it has ended.
type lookingOn struct {
	context.Context
	look func()
}

func (l lookingOn) Err() error {
	l.look()
	return l.Context.Err()
}

func TestABackupHasItsNameWhenItIsWhole(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	recordSecrets(t, tenant)
	dir := t.TempDir()
	path, looks := filepath.Join(dir, "t.db"), 0
	copying := lookingOn{t.Context(), func() {
		looks++
		assert.NoFileExists(t, path)
	}}
	require.NoError(t, tenant.Backup(copying, path))
	assert.Positive(t, looks)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
	assert.Equal(t, "t.db", left[0].Name())
}

func TestBackupThatIsBrokenOffLeavesNothing(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	recordSecrets(t, tenant)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, tenant.Backup(ctx, filepath.Join(dir, "t.db")), context.Canceled)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}
