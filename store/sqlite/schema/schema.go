package schema

import (
	_ "embed"
	"errors"
	"fmt"

	"mneme/store"
	"mneme/store/sqlite/db"
)

// Version is that of the schema, which a file keeps as its user_version. A change of the schema, of how words are analysed
// or of the table of meanings needs another.
const Version = 3

//go:embed schema.sql
var script string

// applicationID marks a file as mneme's ("mnem").
const applicationID = 0x6d6e656d

// Make gives an empty file the schema. Of several processes that try at once, one does it and the others find it done.
func Make(c *db.Conn) error {
	if made, err := IsMade(c); err != nil || made {
		return err
	}
	if err := c.Exec(`BEGIN IMMEDIATE`); err != nil {
		return err
	}
	if err := makeLocked(c); err != nil {
		return errors.Join(err, c.Exec(`ROLLBACK`))
	}
	return c.Exec(`COMMIT`)
}

// makeLocked looks again, now that nobody else can write.
func makeLocked(c *db.Conn) error {
	if made, err := IsMade(c); err != nil || made {
		return err
	}
	marks := fmt.Sprintf(`PRAGMA user_version = %d; PRAGMA application_id = %d`, Version, applicationID)
	return c.Script(script + marks)
}

// IsMade says whether a file has the schema; false where nothing was written yet. A file of another version is
// store.ErrSchemaVersion, one of another program store.ErrForeign.
func IsMade(c *db.Conn) (bool, error) {
	marks, err := c.Marks()
	switch {
	case err != nil:
		return false, err
	case marks == (db.Marks{}):
		return false, nil
	case marks.Application != applicationID:
		return false, store.ErrForeign
	case marks.Version != Version:
		return false, store.OtherVersion(marks.Version, Version)
	}
	return true, nil
}

// VersionOf is the version of a file's schema, 0 where nothing was written yet.
func VersionOf(c *db.Conn) (version int, err error) {
	_, err = c.One(`PRAGMA user_version`, func(r *db.Row) { version = r.Int() })
	return version, err
}
