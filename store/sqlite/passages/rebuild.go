package passages

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// index is the table of words, and what FTS5 keeps it in.
const index = "passage_words"

// Owns says whether a table or an index is one of the passages, which follow from records.
func Owns(name string) bool { return strings.HasPrefix(name, "passage") }

// Rebuild makes the passages of what the records say, where there are none, and tells how many records it is done with.
func Rebuild(ctx context.Context, c *db.Conn, tell func(done int)) error {
	done := 0
	for _, kind := range kinds {
		nodes, err := nodesOf(c, kind)
		if err != nil {
			return err
		}
		for part := range slices.Chunk(nodes, db.RowsPerCheck) {
			if err := ctx.Err(); err != nil {
				return err
			}
			tell(done)
			some := make(map[int64]memory.Kind, len(part))
			for _, node := range part {
				some[node] = kind
			}
			if err := indexAll(c, some, nil); err != nil {
				return err
			}
			done += len(part)
		}
	}
	return nil
}

func nodesOf(c *db.Conn, kind memory.Kind) ([]int64, error) {
	return db.All(c, `SELECT id FROM nodes WHERE kind = :kind ORDER BY id`, (*db.Row).Integer, db.Arg("kind", string(kind)))
}

// Empty makes the tables anew, whatever is damaged in them or missing. Numbers of passages go on.
func Empty(_ context.Context, c *db.Conn) error {
	last := int64(0)
	_, _ = c.One(`SELECT max(last, (SELECT coalesce(max(id & 1099511627775), 0) FROM passages)) FROM passage_totals`, func(r *db.Row) { last = r.Integer() })
	objects, err := schema.LatestObjects()
	if err != nil {
		return err
	}
	there, err := schema.ObjectsOf(c)
	if err != nil {
		return err
	}
	var repair, tables, indexes []string
	drop := []string{`DROP TABLE IF EXISTS ` + index}
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		object := objects[name]
		switch {
		case !Owns(name):
		case strings.HasPrefix(name, index+"_"): // without one of them FTS5 cannot open the index, and nobody can drop it
			if _, is := there[name]; !is {
				repair = append(repair, object.SQL)
			}
			if name == index+"_config" {
				repair = append(repair, `REPLACE INTO `+name+` (k, v) VALUES ('version', 4)`)
			}
			drop = append(drop, `DROP TABLE IF EXISTS `+name) // else they go with it
		case object.Kind == "index":
			indexes = append(indexes, object.SQL)
		default:
			drop, tables = append(drop, `DROP TABLE IF EXISTS `+name), append(tables, object.SQL)
		}
	}
	totals := fmt.Sprintf(`INSERT INTO passage_totals (id, last, there) VALUES (1, %d, 0)`, last)
	return db.Scripts(slices.Concat(repair, drop, tables, indexes, []string{totals})...)(c)
}
