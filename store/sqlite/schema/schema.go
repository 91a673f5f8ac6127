// Package schema is what is in a tenant's file beside records: the tables and indexes, which schema.sql makes, and the
// settings, each of which a file has once.
package schema

import (
	"context"
	_ "embed"
	"errors"
	"maps"
	"slices"
	"strings"

	"mneme/store/fields"
	"mneme/store/sqlite/db"
)

// Version is that of the schema, which a file keeps as its user_version. A change of the schema, of how words are
// analysed or of the table of meanings needs another, and from the first release on a step to it.
const Version = 12

//go:embed schema.sql
var script string

// withColumns is the script that makes the schema.
func withColumns() string {
	tables := script
	for name, list := range fields.Parts {
		tables = strings.ReplaceAll(tables, "{"+name+"}", db.Definitions(list))
	}
	return tables
}

// applicationID marks a file as mneme's ("mnem").
const applicationID = 0x6d6e656d

// Own is the schema of a tenant's file.
var Own = db.Schema{Application: applicationID, Version: Version, Script: withColumns(), Steps: map[int]string{}}

// LatestObjects are those of this program's schema.
func LatestObjects() (objects map[string]Object, err error) {
	latest, err := db.Connect(context.Background(), ":memory:", Own.Make)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, latest.Close()) }()
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
