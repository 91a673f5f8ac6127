package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"time"

	"mneme/store"
)

// Marks are what a database says of itself.
type Marks struct {
	// Application and Version are its application_id and user_version, 0 where nobody set them.
	Application, Version int
	// Objects is how many tables, indexes, views and triggers it has.
	Objects int
}

// Marks reads them by one statement: another process may be making the database meanwhile.
func (c *Conn) Marks() (m Marks, err error) {
	const read = `SELECT (SELECT count(*) FROM sqlite_schema), application_id, user_version FROM pragma_application_id, pragma_user_version`
	_, err = c.One(read, func(r *Row) { m = Marks{Objects: r.Int(), Application: r.Int(), Version: r.Int()} })
	return m, err
}

// Schema is what a kind of file is made with, and the marks by which it is known.
type Schema struct {
	Application, Version int
	Script               string
	// Steps are scripts by the version that each raises to the next one. A released step never changes.
	Steps map[int]string
}

// Make gives an empty file the schema, and raises one of an earlier version, of which a copy is left beside it. Of
// several processes that try at once, one does it and the others find it done.
func (s *Schema) Make(c *Conn) error {
	if made, err := s.IsMade(c); err != nil || made {
		return err
	}
	if err := c.Exec(`BEGIN IMMEDIATE`); err != nil {
		return err
	}
	lacks, err := s.lacks(c) // now that nobody else can write
	if err == nil && lacks != "" && lacks != s.Script {
		err = keepCopy(c)
	}
	if err == nil && lacks != "" {
		err = c.Script(lacks + fmt.Sprintf(`; PRAGMA user_version = %d; PRAGMA application_id = %d`, s.Version, s.Application))
	}
	if err != nil {
		return errors.Join(err, c.Exec(`ROLLBACK`))
	}
	return c.Exec(`COMMIT`)
}

// IsMade says whether a file has the schema; false where nothing was written yet, or it can be raised. A file of
// another version is store.ErrSchemaVersion, one of another program store.ErrForeign.
func (s *Schema) IsMade(c *Conn) (bool, error) {
	lacks, err := s.lacks(c)
	return lacks == "" && err == nil, err
}

// lacks is the script that gives a file the schema, "" for one that has it.
func (s *Schema) lacks(c *Conn) (script string, err error) {
	marks, err := c.Marks()
	switch {
	case err != nil:
		return "", err
	case marks == (Marks{}):
		return s.Script, nil
	case marks.Application != s.Application:
		return "", store.ErrForeign
	}
	for version := marks.Version; version != s.Version; version++ {
		step, known := s.Steps[version]
		if !known {
			return "", store.OtherVersion(int64(marks.Version), s.Version)
		}
		script += step + ";\n"
	}
	return script, nil
}

// keepCopy leaves a copy of a file beside it, unless there is an earlier one of its version. SQLite copies through no
// connection that is writing.
func keepCopy(c *Conn) error {
	path, version := "", 0
	const read = `SELECT file, user_version FROM pragma_database_list, pragma_user_version WHERE name = 'main'`
	if _, err := c.One(read, func(r *Row) { path, version = r.Text(), r.Int() }); err != nil {
		return err
	}
	source, err := Connect(context.Background(), DSN(path, time.Second))
	if err != nil {
		return err
	}
	if err = source.CopyAs(context.Background(), fmt.Sprintf("%s.version-%d", path, version), false); errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return errors.Join(err, source.Close())
}

// KeepsLog says whether a file is used with a write-ahead log, by what it says of itself: a log that is beside it is
// not looked at. With writable_schema, also one of which pages are only in that can be read.
func KeepsLog(ctx context.Context, path string) (keeps bool, err error) {
	c, err := Connect(ctx, (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: "immutable=1&_pragma=writable_schema(1)"}).String())
	if err != nil {
		return false, err
	}
	_, err = c.One(`SELECT substr(data, 19, 1) = x'02' FROM sqlite_dbpage WHERE pgno = 1`, func(r *Row) { keeps = r.Bool() })
	return keeps, errors.Join(err, c.Close())
}
