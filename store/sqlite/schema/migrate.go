package schema

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/sqlite/db"
)

// migrations are numbered from 001 without gaps; the number of the last one is the schema's version,
// which the file keeps as its user_version.
//
//go:embed migrations/*.sql
var migrations embed.FS

// applicationID marks a file as mneme's ("mnem").
const applicationID = 0x6d6e656d

// Migrate brings a database to this version's schema. What scripts cannot do, finish does in the same transaction, told
// of the version that there was before. Of several processes that try at once, one does it and the others find it done.
func Migrate(c *db.Conn, finish func(c *db.Conn, before int) error) error {
	if current, err := IsCurrent(c); err != nil || current {
		return err
	}
	if err := c.Exec(`BEGIN IMMEDIATE`); err != nil {
		return err
	}
	if err := migrateLocked(c, finish); err != nil {
		ended := c.Exec(`ROLLBACK`)
		return errors.Join(err, ended)
	}
	return c.Exec(`COMMIT`)
}

// migrateLocked looks again, now that nobody else can write, and applies what is missing.
func migrateLocked(c *db.Conn, finish func(c *db.Conn, before int) error) error {
	version, err := VersionOf(c)
	if err != nil {
		return err
	}
	if lost, err := LostVersion(c, version); err != nil {
		return err
	} else if lost {
		if version, err = versionAnew(c); err != nil {
			return err
		}
	}
	if err := runScripts(c, version); err != nil {
		return err
	}
	if err := c.Script(fmt.Sprintf(`PRAGMA user_version = %d; PRAGMA application_id = %d`, Latest(), applicationID)); err != nil {
		return err
	}
	if err := restoreSettings(c); err != nil {
		return err
	}
	return finish(c, version)
}

// runScripts runs the migrations that come after a version.
func runScripts(c *db.Conn, version int) error {
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	for _, step := range steps[min(version, len(steps)):] {
		script, err := migrations.ReadFile(step)
		if err != nil {
			return err
		}
		if err := c.Script(string(script)); err != nil {
			return fmt.Errorf("%s: %w", step, err)
		}
	}
	return nil
}

// IsCurrent says whether there is nothing to do.
func IsCurrent(c *db.Conn) (bool, error) {
	latest := Latest()
	version, err := VersionOf(c)
	if err != nil {
		return false, err
	}
	switch lost, err := LostVersion(c, version); {
	case err != nil:
		return false, err
	case lost:
		return false, RequireOurs(c)
	case version > latest:
		return false, newerVersion(version, latest)
	case version < latest:
		return false, RequireOurs(c)
	}
	if there, err := hasSettings(c); err != nil || !there {
		return false, errors.Join(err, RequireOurs(c))
	}
	analysis, err := AnalysisVersion(c) // of whatever other version, the words are made anew
	return analysis == lexical.Version, err
}

// Latest is how many migrations there are, and so this program's version of the schema.
func Latest() int { return latest() }

var latest = sync.OnceValue(func() int {
	steps, _ := fs.Glob(migrations, "migrations/*.sql") // the pattern is sound
	return len(steps)
})

func newerVersion(version, latest int) error {
	return fmt.Errorf("%w: its schema is version %d and this program knows up to %d: use the newer mneme, or another data directory",
		store.ErrSchemaVersion, version, latest)
}

// mostVersion is more than any version of the schema will be.
const mostVersion = 1_000_000

// LostVersion says whether a file that is mneme's and has tables has a version which cannot be: none at all, or an
// older one although all is there that the latest has.
func LostVersion(c *db.Conn, version int) (bool, error) {
	none := version <= 0 || version > mostVersion
	if !none && version >= Latest() {
		return false, nil
	}
	id := 0
	if _, err := c.One(`PRAGMA application_id`, func(r *db.Row) { id = r.Int() }); err != nil || id != applicationID {
		return false, err
	}
	if none {
		return c.One(`SELECT 1 FROM sqlite_schema LIMIT 1`, func(*db.Row) {})
	}
	missing, err := MissingObjects(c)
	return len(missing) == 0, err
}

// versionAnew is this program's version, where the schema of a file without a version is that.
func versionAnew(c *db.Conn) (int, error) {
	missing, err := MissingObjects(c)
	if err == nil && len(missing) > 0 {
		err = &store.Damaged{Kind: store.KindSetting, Key: settingVersion, Cause: fmt.Errorf("missing are %s", strings.Join(missing, ", "))}
	}
	return Latest(), err
}

// VersionOf is the version of a file's schema, 0 where nothing was written yet.
func VersionOf(c *db.Conn) (version int, err error) {
	_, err = c.One(`PRAGMA user_version`, func(r *db.Row) { version = r.Int() })
	return version, err
}

// RequireOurs keeps mneme from moving into a database of another program: what is not marked as mneme's is empty.
func RequireOurs(c *db.Conn) error {
	marks, err := c.Marks()
	if err != nil {
		return err
	}
	if marks.Application == applicationID || marks == (db.Marks{}) {
		return nil
	}
	return store.ErrForeign
}

// CheckNewer answers store.ErrSchemaVersion where a newer version of mneme wrote the file. That it is another program's
// is said to who uses it.
func CheckNewer(c *db.Conn) error {
	version, err := VersionOf(c)
	if err == nil && version > Latest() && version <= mostVersion && !errors.Is(RequireOurs(c), store.ErrForeign) {
		err = newerVersion(version, Latest())
	}
	return err
}
