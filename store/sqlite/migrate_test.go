package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/keyring"
	"mneme/store/sqlite/schema"
	"mneme/store/storetest"
)

// Where the scripts of migrations are, and the mark of mneme's files.
const (
	oldScripts = "schema/migrations"
	mark       = 0x6d6e656d
)

func TestMigrateBringsANewFileToTheLatestSchema(t *testing.T) {
	tenant := openTenant(t, t.TempDir())
	tenant.mustRecord(t, record("e1", "x"))
	steps, err := os.ReadDir(oldScripts)
	require.NoError(t, err)
	assert.Equal(t, len(steps), tenant.number(t, `PRAGMA user_version`))
	assert.Equal(t, mark, tenant.number(t, `PRAGMA application_id`))
	assert.Equal(t, lexical.Version, tenant.number(t, `SELECT value FROM settings WHERE name = 'analysis'`))
}

// By what the last migration makes a file is known whose version is lost, so one of data alone may not be the last.
func TestTheLatestSchemaIsKnownByWhatIsInIt(t *testing.T) {
	dir := t.TempDir()
	writeOld(t, dir, schema.Latest()-1, "")
	c, err := db.Connect(t.Context(), db.DSN(filepath.Join(dir, "t.db"), time.Second))
	require.NoError(t, err)
	missing, err := schema.MissingObjects(c)
	require.NoError(t, err)
	assert.NotEmpty(t, missing)
	require.NoError(t, c.Close())
}

// writeOld makes the tenant's file as an older version of the schema left it, with some rows.
func writeOld(t *testing.T, dir string, version int, rows string) {
	t.Helper()
	c, err := db.Connect(t.Context(), db.DSN(filepath.Join(dir, "t.db"), time.Second))
	require.NoError(t, err)
	steps, err := os.ReadDir(oldScripts)
	require.NoError(t, err)
	for _, step := range steps[:version] {
		script, err := os.ReadFile(filepath.Join(oldScripts, step.Name()))
		require.NoError(t, err)
		require.NoError(t, c.Script(string(script)))
	}
	require.NoError(t, c.Script(fmt.Sprintf(`PRAGMA user_version = %d; PRAGMA application_id = %d`, version, mark)))
	require.NoError(t, c.Script(rows))
	require.NoError(t, c.Close())
}

func TestMigrateFixesTheLengthOfVectorsThatAreThere(t *testing.T) {
	dir := t.TempDir()
	writeOld(t, dir, 1, `
		INSERT INTO nodes VALUES (1, 'agent', 'a'), (2, 'episode', 'e1');
		INSERT INTO agents VALUES (1, 'a');
		INSERT INTO episodes (id, agent, outcome, concluded, started_at, created_at, input_hash) VALUES (2, 1, 'SUCCESS', 1, 0, 0, x'01');
		INSERT INTO contents VALUES (2, '', 'x', '[]', '[]', NULL, 'none', '[]', '[]', NULL, 1, 1, '[]');
		INSERT INTO embeddings VALUES (2, zeroblob(12))`)
	tenant := openTenant(t, dir)
	require.NoError(t, tenant.file.Write(t.Context(), schema.MakeInputKey)) // as whatever wrote its records had it
	require.NoError(t, storetest.Delete(t.Context(), tenant, memory.KindEpisode, "e1"))
	length, err := tenant.VectorLength(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 3, length)
}

func TestMigrateRefusesANewerSchema(t *testing.T) {
	dir := t.TempDir()
	backend := openBackend(t, dir)
	tenant := bindTenant(t, backend)
	tenant.mustRecord(t, record("e1", "x"))
	require.NoError(t, tenant.file.Write(t.Context(), func(c *db.Conn) error { return c.Script(`PRAGMA user_version = 99`) }))
	require.NoError(t, backend.Close(t.Context()))
	_, err := Open(t.Context(), Options{Dir: dir})
	require.ErrorIs(t, err, store.ErrSchemaVersion)
	assert.ErrorContains(t, err, "t.db")
}

func TestNothingIsWrittenToWhatANewerProgramHasMigrated(t *testing.T) {
	dir := t.TempDir()
	backend, err := Open(t.Context(), Options{Dir: dir, CloseAfter: 50 * time.Millisecond})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.WithoutCancel(t.Context()))) })
	tenant := bindTenant(t, backend)
	tenant.mustRecord(t, record("e1", "x"))
	beside, err := db.Connect(t.Context(), db.DSN(filepath.Join(dir, "t.db"), time.Second))
	require.NoError(t, err)
	require.NoError(t, beside.Script(`PRAGMA user_version = 99`))

	_, err = tenant.RecordEpisodes(t.Context(), []store.EpisodeRecord{record("e2", "y")})
	require.ErrorIs(t, err, store.ErrSchemaVersion)
	err = backend.Check(t.Context())
	require.ErrorIs(t, err, store.ErrSchemaVersion)
	require.ErrorIs(t, err, store.ErrUnavailable)

	require.Eventually(t, func() bool { return tenant.file.Peek(t.Context(), func(*db.Conn) error { return errOpen }) == nil }, 10*time.Second, 10*time.Millisecond)
	require.ErrorIs(t, backend.Check(t.Context()), store.ErrSchemaVersion, "also where the file was closed, as nobody uses it")
	_, err = backend.Tenant(t.Context(), "t")
	require.ErrorIs(t, err, store.ErrSchemaVersion)

	require.NoError(t, beside.Script(fmt.Sprintf(`PRAGMA user_version = %d`, schema.Latest())))
	require.NoError(t, beside.Close())
	require.NoError(t, backend.Check(t.Context()))
	tenant.mustRecord(t, record("e2", "y"))
}

var errOpen = errors.New("the file is open")

func TestNoKeyIsWrittenToWhatANewerProgramHasMigrated(t *testing.T) {
	dir := t.TempDir()
	backend := openBackend(t, dir)
	key := func(prefix string) access.Key {
		return access.Key{Prefix: prefix, Hash: []byte("hash"), Tenant: "t", Role: access.Reader, CreatedAt: noon}
	}
	require.NoError(t, backend.AddKey(t.Context(), key("mneme_aaaaaaaa")))
	beside, err := db.Connect(t.Context(), db.DSN(filepath.Join(dir, keyring.Tenant+".db"), time.Second))
	require.NoError(t, err)
	require.NoError(t, beside.Script(`PRAGMA user_version = 99`))
	require.NoError(t, beside.Close())
	require.ErrorIs(t, backend.AddKey(t.Context(), key("mneme_bbbbbbbb")), store.ErrSchemaVersion)
	found, err := backend.Key(t.Context(), "mneme_aaaaaaaa")
	require.NoError(t, err)
	assert.NotNil(t, found, "who has a key is still let in")
}

func TestWhatANewerProgramHasMigratedIsReadAsFarAsItCanBe(t *testing.T) {
	dir := t.TempDir()
	tenant := openTenant(t, dir)
	tenant.mustRecord(t, record("e1", "x"))
	beside, err := db.Connect(t.Context(), db.DSN(filepath.Join(dir, "t.db"), time.Second))
	require.NoError(t, err)
	require.NoError(t, beside.Script(`PRAGMA user_version = 99`))
	found, err := tenant.Episodes(t.Context(), store.EpisodesByKey{Keys: []string{"e1"}})
	require.NoError(t, err)
	assert.NotNil(t, found[0])

	require.NoError(t, beside.Script(`ALTER TABLE contents RENAME COLUMN observation TO seen`))
	_, err = tenant.Episodes(t.Context(), store.EpisodesByKey{Keys: []string{"e1"}})
	require.ErrorIs(t, err, store.ErrSchemaVersion, "and else it is said why not")

	require.NoError(t, beside.Close())
}

func TestMigrateRefusesADatabaseOfAnotherProgram(t *testing.T) {
	dir := t.TempDir()
	c, err := db.Connect(t.Context(), db.DSN(filepath.Join(dir, "t.db"), time.Second))
	require.NoError(t, err)
	require.NoError(t, c.Script(`CREATE TABLE theirs (x)`))
	require.NoError(t, c.Close())
	_, err = openBackend(t, dir).Tenant(t.Context(), "t")
	require.ErrorContains(t, err, "another program")
}

func TestMigrateOnceHoweverManyTry(t *testing.T) {
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

func TestReindexAfterAnotherAnalysis(t *testing.T) {
	dir := t.TempDir()
	backend := openBackend(t, dir)
	tenant := bindTenant(t, backend)
	tenant.mustRecord(t, record("e1", "delayed flights"), record("e2", "a flight"))
	tenant.change(t, `UPDATE settings SET value = 0 WHERE name = 'analysis'`)
	tenant.change(t, `INSERT INTO words (words) VALUES ('delete-all')`)
	tenant.change(t, `UPDATE stems SET stem = 'old' || stem`)
	require.NoError(t, backend.Close(t.Context()))

	tenant = openTenant(t, dir)
	requireWordsAgree(t, tenant)
	found, err := tenant.Candidates(t.Context(), store.RecallQuery{Text: "flight", Limit: 9})
	require.NoError(t, err)
	assert.Len(t, found.Items, 2)
	assert.Equal(t, 2, tenant.number(t, `SELECT records FROM stems WHERE stem = 'flight'`))
}

func TestFilesAreTheOwners(t *testing.T) {
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
