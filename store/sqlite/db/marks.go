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
	if made, err := s.isMade(c); err != nil || made {
		return err
	}
	if err := c.Exec(`BEGIN IMMEDIATE`); err != nil {
		return err
	}
	made, err := s.isMade(c) // now that nobody else can write
	if err == nil && !made {
		err = s.write(c)
	}
	if err != nil {
		return errors.Join(err, c.Exec(`ROLLBACK`))
	}
	return c.Exec(`COMMIT`)
}

// write brings a file to this version within a transaction.
func (s *Schema) write(c *Conn) error {
	marks, err := c.Marks()
	if err != nil {
		return err
	}
	script := s.Script
	if marks != (Marks{}) {
		if err := keepCopy(c, marks.Version); err != nil {
			return err
		}
		script = ""
		for version := marks.Version; version < s.Version; version++ {
			script += s.Steps[version] + ";\n"
		}
	}
	return c.Script(script + fmt.Sprintf(`; PRAGMA user_version = %d; PRAGMA application_id = %d`, s.Version, s.Application))
}

// keepCopy leaves a copy of a file beside it, for its owner only. SQLite copies through no connection that is writing.
func keepCopy(c *Conn, version int) error {
	path := ""
	if _, err := c.One(`SELECT file FROM pragma_database_list WHERE name = 'main'`, func(r *Row) { path = r.Text() }); err != nil {
		return err
	}
	source, err := Connect(context.Background(), DSN(path, time.Second))
	if err != nil {
		return err
	}
	err = source.CopyAs(context.Background(), fmt.Sprintf("%s.version-%d", path, version), time.Second, func(part, copied string) error {
		name := copied
		for n := 2; ; n++ { // an earlier copy stays
			if err := Name(part, name); !errors.Is(err, fs.ErrExist) {
				return err
			}
			name = fmt.Sprintf("%s-%d", copied, n)
		}
	})
	return errors.Join(err, source.Close())
}

// Check refuses a file that Make does not make ready: see IsMade.
func (s *Schema) Check(c *Conn) error {
	_, err := s.isMade(c)
	return err
}

// isMade is IsMade, but false for a file that can be raised.
func (s *Schema) isMade(c *Conn) (bool, error) {
	made, err := s.IsMade(c)
	if !errors.Is(err, store.ErrSchemaVersion) {
		return made, err
	}
	marks, fault := c.Marks()
	if fault != nil {
		return false, fault
	}
	raised := marks.Version <= s.Version // another process may have raised it meanwhile
	for version := marks.Version; raised && version < s.Version; version++ {
		_, raised = s.Steps[version]
	}
	if raised {
		err = nil
	}
	return false, err
}

// IsMade says whether a file has the schema; false where nothing was written yet. A file of another version is
// store.ErrSchemaVersion, one of another program store.ErrForeign.
func (s *Schema) IsMade(c *Conn) (bool, error) {
	marks, err := c.Marks()
	switch {
	case err != nil:
		return false, err
	case marks == (Marks{}):
		return false, nil
	case marks.Application != s.Application:
		return false, store.ErrForeign
	case marks.Version != s.Version:
		return false, store.OtherVersion(int64(marks.Version), s.Version)
	}
	return true, nil
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
