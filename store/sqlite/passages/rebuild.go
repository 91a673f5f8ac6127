// Package passages keeps the passages that records are found by, with the index of their words. It writes them; package
// search finds them.
package passages

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mneme/memory"
	split "mneme/memory/passages"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// index is the table of words, and what FTS5 keeps it in.
const index = "passage_words"

// Owns says whether a table or an index is one of the passages, which follow from records.
func Owns(name string) bool { return strings.HasPrefix(name, "passage") }

// Rebuild makes the passages of what the records say, where there are none, and tells how many records it is done with.
func Rebuild(tx *db.Tx, tell func(done int)) {
	done := 0
	for _, kind := range split.Kinds {
		nodes := db.Ask(tx, func(c *db.Conn) ([]int64, error) { return nodesOf(c, kind) })
		for part := range slices.Chunk(nodes, db.RowsPerCheck) {
			if tx.Fail(tx.Context.Err()); tx.Err() != nil {
				return
			}
			tell(done)
			some := make(waiting, len(part))
			for _, node := range part {
				some[node] = kind
			}
			indexAll(tx, some)
			done += len(part)
		}
	}
}

func nodesOf(c *db.Conn, kind memory.Kind) ([]int64, error) {
	return db.All(c, `SELECT id FROM nodes WHERE kind = :kind ORDER BY id`, (*db.Row).Integer, db.Arg("kind", string(kind)))
}

// Empty makes the tables anew, whatever is damaged in them or missing. Numbers of passages go on.
func Empty(tx *db.Tx) {
	last, _ := tx.Number(context.Background(), `SELECT max(number, (SELECT coalesce(max(id & 1099511627775), 0) FROM passages)) FROM passage_last`)
	objects, err := schema.LatestObjects()
	tx.Fail(err)
	there := db.Ask(tx, schema.ObjectsOf)
	var repair, tables, indexes []string
	drop := []string{`DROP TABLE IF EXISTS ` + index}
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		object := objects[name]
		switch {
		case !Owns(name):
		case strings.HasPrefix(name, index+"_"): // without one of them FTS5 cannot open the index, and nobody can drop it
			if _, ok := there[name]; !ok {
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
	given := fmt.Sprintf(`INSERT INTO passage_last (id, number) VALUES (1, %d)`, last)
	tx.Script(slices.Concat(repair, drop, tables, indexes, []string{given})...)
}

// CountWrong counts the records whose passages are not what they say.
func CountWrong(ctx context.Context, c *db.Conn) (wrong int, err error) {
	for _, kind := range split.Kinds {
		nodes, err := nodesOf(c, kind)
		if err != nil {
			return 0, err
		}
		for _, node := range nodes {
			right, err := isRight(c, kind, node)
			if err = cmp.Or(ctx.Err(), err); err != nil {
				return 0, err
			}
			if !right {
				wrong++
			}
		}
	}
	return wrong, nil
}

// isRight says whether the passages of a record are what follows from it.
func isRight(c *db.Conn, kind memory.Kind, node int64) (bool, error) {
	wanted, err := read(c, kind, node)
	if err != nil {
		return false, err
	}
	there, err := keptOf(c, node, false)
	if err != nil {
		return false, err
	}
	if split.Right(there, wanted.said, 0, false) {
		return true, nil
	}
	lacks := 0
	inParts, err := c.One(`SELECT o.left_out FROM logs l JOIN passage_owners o ON o.node = l.episode WHERE l.episode = :node`,
		func(r *db.Row) { lacks = r.Int() }, db.Arg("node", node))
	return inParts && split.Right(there, wanted.said, lacks, true), err
}
