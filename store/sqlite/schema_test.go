package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory/access"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/keyring"
	"mneme/store/sqlite/schema"
)

func TestANewFileHasTheSchema(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	tenant.mustRecord(t, record("e1", "x"))
	assert.Equal(t, schema.Version, tenant.number(t, `PRAGMA user_version`))
	assert.Equal(t, 0x6d6e656d, tenant.number(t, `PRAGMA application_id`))
}

func TestAFileOfAnotherVersionIsRefused(t *testing.T) {
	t.Parallel()
	for name, version := range map[string]int{"older: export it with that one, import it here": schema.Version - 1, "newer: it needs a later version": schema.Version + 1, "no number of a version": -7} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			backend := openBackend(t, dir)
			tenant := bindTenant(t, backend)
			tenant.mustRecord(t, record("e1", "x"))
			tenant.change(t, fmt.Sprintf(`PRAGMA user_version = %d`, version))
			require.NoError(t, backend.Close(t.Context()))
			path := filepath.Join(dir, "t.db")
			before, err := os.ReadFile(path)
			require.NoError(t, err)
			_, err = Open(t.Context(), Options{Dir: dir})
			require.ErrorIs(t, err, store.ErrSchemaVersion)
			_, remedy, _ := strings.Cut(name, ": ")
			require.ErrorContains(t, err, "t.db: made by another version: "+remedy)
			require.ErrorContains(t, err, fmt.Sprintf("(its schema has the number %d, that of this mneme %d)", version, schema.Version))

			elsewhere := t.TempDir()
			backend = openBackend(t, elsewhere)
			require.NoError(t, os.WriteFile(filepath.Join(elsewhere, "t.db"), before, 0o600))
			_, err = backend.Tenant(t.Context(), "t")
			require.ErrorIs(t, err, store.ErrSchemaVersion, "also where it comes to a directory that is open")
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, before, after, "it is left as it is")
		})
	}
}

func TestKeysOfAnotherVersionAreRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backend := openBackend(t, dir)
	key := access.Key{Prefix: "mneme_aaaaaaaa", Hash: []byte("hash"), Tenant: "t", Role: access.Reader, CreatedAt: noon}
	require.NoError(t, backend.AddKey(t.Context(), key))
	require.NoError(t, backend.Close(t.Context()))
	c, err := db.Connect(t.Context(), db.DSN(filepath.Join(dir, keyring.Tenant+".db"), time.Second))
	require.NoError(t, err)
	require.NoError(t, c.Script(`PRAGMA user_version = 99`))
	require.NoError(t, c.Close())
	_, err = openBackend(t, dir).Key(t.Context(), key.Prefix)
	require.ErrorIs(t, err, store.ErrSchemaVersion)
}

func TestADatabaseOfAnotherProgramIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tamper(t, dir, `CREATE TABLE theirs (x)`)
	_, err := openBackend(t, dir).Tenant(t.Context(), "t")
	require.ErrorContains(t, err, "another program")
}

func TestTheSchemaIsMadeOnceHoweverManyTry(t *testing.T) {
	t.Parallel()
	for range 20 { // as what comes between two looks at a file comes there seldom
		dir := t.TempDir()
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				backend, err := Open(t.Context(), Options{Dir: dir})
				if !assert.NoError(t, err) {
					return
				}
				bound, err := backend.Tenant(t.Context(), "t")
				if assert.NoError(t, err) {
					_, err = bound.InputKey(t.Context())
					assert.NoError(t, err)
				}
				assert.NoError(t, backend.Close(context.Background()))
			})
		}
		group.Wait()
		assert.Equal(t, 1, openTenant(t, dir).number(t, `SELECT count(*) FROM settings WHERE name = 'input_key'`))
	}
}

func TestFilesAreTheOwners(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a b?c#d%20", "data")
	tenant := openTenant(t, dir)
	tenant.mustRecord(t, record("e1", "x"))
	info, err := os.Stat(dir)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	names := []string{}
	for _, entry := range entries {
		info, err := entry.Info()
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), entry.Name())
		names = append(names, entry.Name())
	}
	assert.Equal(t, []string{"t.db", "t.db-shm", "t.db-wal"}, names)
}
