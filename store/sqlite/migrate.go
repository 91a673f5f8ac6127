package sqlite

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mneme/store"
	"mneme/store/lexical"
)

// migrations are numbered from 001 without gaps; the number of the last one is the schema's version,
// which the file keeps as its user_version.
//
//go:embed migrations/*.sql
var migrations embed.FS

// stepsInGo go with migrations that SQL alone cannot do. They run after all scripts, on the latest schema.
var stepsInGo = map[string]func(*conn) error{
	"migrations/005_learning.sql": countEpisodes,
}

// applicationID marks a file as mneme's ("mnem").
const applicationID = 0x6d6e656d

// migrate brings a database to this version's schema and text analysis. Of several processes that try
// at once, one does it and the others find it done.
func migrate(c *conn) error {
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	if current, err := isCurrent(c, len(steps)); err != nil || current {
		return err
	}
	if err := c.exec(`BEGIN IMMEDIATE`); err != nil {
		return err
	}
	if err := migrateLocked(c, steps); err != nil {
		ended := c.exec(`ROLLBACK`)
		return errors.Join(err, ended)
	}
	return c.exec(`COMMIT`)
}

// migrateLocked looks again, now that nobody else can write, and applies what is missing.
func migrateLocked(c *conn, steps []string) error {
	version, err := schemaVersion(c)
	if err != nil {
		return err
	}
	if lost, err := lostVersion(c, version); err != nil {
		return err
	} else if lost {
		if version, err = versionAnew(c, len(steps)); err != nil {
			return err
		}
	}
	missing := steps[min(version, len(steps)):]
	for _, step := range missing {
		script, err := migrations.ReadFile(step)
		if err != nil {
			return err
		}
		if err := c.script(string(script)); err != nil {
			return fmt.Errorf("%s: %w", step, err)
		}
	}
	if err := c.script(fmt.Sprintf(`PRAGMA user_version = %d; PRAGMA application_id = %d`, len(steps), applicationID)); err != nil {
		return err
	}
	if err := restoreSettings(c); err != nil {
		return err
	}
	if err := reindex(c); err != nil {
		return err
	}
	return finish(c, missing)
}

// finish does what goes with scripts that have run.
func finish(c *conn, steps []string) error {
	for _, step := range steps {
		run, found := stepsInGo[step]
		if !found {
			continue
		}
		if err := run(c); err != nil {
			return fmt.Errorf("after %s: %w", step, err)
		}
	}
	return nil
}

// isCurrent says whether there is nothing to do.
func isCurrent(c *conn, latest int) (bool, error) {
	version, err := schemaVersion(c)
	if err != nil {
		return false, err
	}
	switch lost, err := lostVersion(c, version); {
	case err != nil:
		return false, err
	case lost:
		return false, requireOurs(c)
	case version > latest:
		return false, newerVersion(version, latest)
	case version < latest:
		return false, requireOurs(c)
	}
	if there, err := hasSettings(c); err != nil || !there {
		return false, errors.Join(err, requireOurs(c))
	}
	analysis, err := analysisVersion(c) // of whatever other version, the words are made anew
	return analysis == lexical.Version, err
}

// migrationSteps is how many migrations there are, and so this version's schema version.
func migrationSteps() int {
	steps, _ := fs.Glob(migrations, "migrations/*.sql") // the pattern is sound
	return len(steps)
}

func newerVersion(version, latest int) error {
	return fmt.Errorf("%w: its schema is version %d and this program knows up to %d: use the newer mneme, or another data directory",
		store.ErrSchemaVersion, version, latest)
}

// latestVersion is more than any version of the schema will be.
const latestVersion = 1_000_000

// lostVersion says whether a file that is mneme's and has tables has a version which cannot be: none at all, or an
// older one although all is there that the latest has.
func lostVersion(c *conn, version int) (bool, error) {
	none := version <= 0 || version > latestVersion
	if !none && version >= migrationSteps() {
		return false, nil
	}
	id := 0
	if _, err := c.one(`PRAGMA application_id`, func(r *row) { id = r.int() }); err != nil || id != applicationID {
		return false, err
	}
	if none {
		return c.one(`SELECT 1 FROM sqlite_schema LIMIT 1`, func(*row) {})
	}
	missing, err := missingObjects(c)
	return len(missing) == 0, err
}

// versionAnew is this program's version, where the schema of a file without a version is that.
func versionAnew(c *conn, latest int) (int, error) {
	missing, err := missingObjects(c)
	if err == nil && len(missing) > 0 {
		err = &store.Damaged{Kind: store.KindSetting, Key: settingVersion, Cause: fmt.Errorf("missing are %s", strings.Join(missing, ", "))}
	}
	return latest, err
}

// missingObjects are the tables, columns and indexes of this program's schema that a file does not have.
func missingObjects(c *conn) ([]string, error) {
	there, err := objectsOf(c)
	if err != nil {
		return nil, err
	}
	wanted, err := latestObjects()
	return missingOf(wanted, there), err
}

// latestObjects are those of this program's schema.
func latestObjects() (objects map[string]object, err error) {
	nothing, err := openMemory(context.Background())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, nothing.close(context.Background())) }()
	err = nothing.read(context.Background(), func(latest *conn) error {
		objects, err = objectsOf(latest)
		return err
	})
	return objects, err
}

func schemaVersion(c *conn) (version int, err error) {
	_, err = c.one(`PRAGMA user_version`, func(r *row) { version = r.int() })
	return version, err
}

// requireOurs keeps mneme from moving into a database of another program: what is not marked as mneme's is empty.
func requireOurs(c *conn) error {
	var id, version, tables int
	for sql, to := range map[string]*int{`PRAGMA application_id`: &id, `PRAGMA user_version`: &version, `SELECT count(*) FROM sqlite_schema`: &tables} {
		if _, err := c.one(sql, func(r *row) { *to = r.int() }); err != nil {
			return err
		}
	}
	if id == applicationID || id == 0 && version == 0 && tables == 0 {
		return nil
	}
	return store.ErrForeign
}

// checkVersions asks all tenants' files for their schema's version, so that a program that is too old
// says so when it starts.
func checkVersions(ctx context.Context, dir string, busyTimeout time.Duration) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".db" {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if err := checkVersion(ctx, path, busyTimeout, len(steps)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// checkVersion goes through SQLite rather than look into the file: to close a file that this process
// has open elsewhere would end its locks there (POSIX takes them for the process's, not the handle's).
func checkVersion(ctx context.Context, path string, busyTimeout time.Duration, latest int) error {
	return retryBusy(ctx, busyTimeout, func() error {
		c, _, err := connectToRead(ctx, path, busyTimeout)
		if err != nil {
			return err
		}
		version, err := schemaVersion(c)
		if err == nil && version > latest && version <= latestVersion && !errors.Is(requireOurs(c), store.ErrForeign) { // which is said to who uses it
			err = newerVersion(version, latest)
		}
		return errors.Join(err, c.close())
	})
}

// isForeign says whether a file is a database of another program, without a change to it. A file that cannot be read
// may be mneme's.
func isForeign(ctx context.Context, path string, busyTimeout time.Duration) bool {
	c, _, err := connectToRead(ctx, path, busyTimeout)
	if err != nil {
		return false
	}
	foreign := errors.Is(requireOurs(c), store.ErrForeign)
	return c.close() == nil && foreign
}
