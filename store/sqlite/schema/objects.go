package schema

import (
	"context"
	"errors"
	"maps"
	"slices"

	"mneme/store/sqlite/db"
)

// LatestObjects are those of this program's schema.
func LatestObjects() (objects map[string]Object, err error) {
	latest, err := db.Connect(context.Background(), ":memory:")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, latest.Close()) }()
	if err := latest.Script(Script()); err != nil {
		return nil, err
	}
	return ObjectsOf(latest)
}

// Object is a table or index, and the statement that makes it.
type Object struct{ Kind, SQL string }

// ObjectsOf reads the tables and indexes of a file, but for SQLite's own.
func ObjectsOf(c *db.Conn) (map[string]Object, error) {
	const read = `SELECT name, type, sql FROM main.sqlite_schema WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\'`
	objects := map[string]Object{}
	err := c.Query(read, func(r *db.Row) {
		name := r.Text()
		objects[name] = Object{r.Text(), r.Text()}
	})
	return objects, err
}

// MissingOf names the objects that are not there.
func MissingOf(wanted, there map[string]Object) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(wanted)), func(name string) bool {
		_, is := there[name]
		return is
	})
}
