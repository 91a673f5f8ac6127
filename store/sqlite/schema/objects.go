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

// Object is a table or index, and the statement that makes it. Columns are those of a table that SQLite keeps itself.
type Object struct {
	Kind, SQL string
	columns   []string
}

// ObjectsOf reads the tables and indexes of a file, but for SQLite's own.
func ObjectsOf(c *db.Conn) (map[string]Object, error) {
	const read = `SELECT m.name, m.type, m.sql, (SELECT json_group_array(i.name) FROM pragma_table_info(m.name) i
			WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%')
		FROM main.sqlite_schema m WHERE m.name NOT LIKE 'sqlite\_%' ESCAPE '\'`
	objects := map[string]Object{}
	err := c.Query(read, func(r *db.Row) {
		name := r.Text()
		objects[name] = Object{r.Text(), r.Text(), db.ListOf[string](r)}
	})
	return objects, err
}

// MissingOf names the objects that are not there, and the columns of tables that are.
func MissingOf(wanted, there map[string]Object) (missing []string) {
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		found, ok := there[name]
		if !ok {
			missing = append(missing, name)
			continue
		}
		for _, column := range wanted[name].columns {
			if !slices.Contains(found.columns, column) {
				missing = append(missing, name+"."+column)
			}
		}
	}
	return missing
}
