package db

import "errors"

// Marks are what a database says of itself.
type Marks struct {
	// Application and Version are its application_id and user_version, 0 where nobody set them.
	Application, Version int
	// Objects is how many tables, indexes, views and triggers it has.
	Objects int
}

// Marks reads them as of one moment: another process may be making the database meanwhile.
func (c *Conn) Marks() (m Marks, err error) {
	if err := c.Exec(`SAVEPOINT marks`); err != nil {
		return m, err
	}
	for _, mark := range []struct {
		sql string
		to  *int
	}{
		{`SELECT count(*) FROM sqlite_schema`, &m.Objects},
		{`PRAGMA application_id`, &m.Application},
		{`PRAGMA user_version`, &m.Version},
	} {
		if _, err = c.One(mark.sql, func(r *Row) { *mark.to = r.Int() }); err != nil {
			break
		}
	}
	return m, errors.Join(err, c.Exec(`RELEASE marks`))
}
