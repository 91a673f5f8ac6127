package sqlite

import (
	"context"
	"database/sql/driver"

	"mneme/memory"
	"mneme/store"
)

// resolved finds the records of global ids; the others are left out.
const resolved = `WITH RECURSIVE given (id) AS MATERIALIZED (
	SELECT n.id FROM json_each(:of) w CROSS JOIN nodes n ON n.kind = w.value ->> 0 AND n.key = w.value ->> 1)`

// The neighbours of given nodes along links out of them and into them, in the order of their ids.
//
// Each pair of a node and a type of its links is a sorted stream in the index, and all of them are merged
// lazily: the recursion is a queue that yields the first of what it holds and puts in the one that follows
// it in its stream. It ends when enough have come out, so that a hub's first page costs one look-up for
// each of its neighbours on that page, however many it has.
var (
	neighboursOut = merged("source", "target_ref")
	neighboursIn  = merged("target", "source_ref")
)

func merged(node, ref string) string {
	first := `(SELECT min(` + ref + `) FROM edges WHERE ` + node + ` = s.id AND type = s.type AND ` + ref + ` > `
	next := `(SELECT min(` + ref + `) FROM edges WHERE ` + node + ` = q.id AND type = q.type AND ` + ref + ` > `
	return resolved + `,
		types (id, type) AS (
			SELECT id, (SELECT min(type) FROM edges WHERE ` + node + ` = id) FROM given
			UNION ALL
			SELECT t.id, (SELECT min(type) FROM edges WHERE ` + node + ` = t.id AND type > t.type) FROM types t WHERE t.type IS NOT NULL
		),
		streams (id, type) AS (
			SELECT id, type FROM types WHERE type IS NOT NULL
				AND (:relations IS NULL OR type IN (SELECT value FROM json_each(:relations)))
		),
		queue (ref, id, type) AS (
			SELECT ` + first + `:after), s.id, s.type FROM streams s
			UNION ALL
			SELECT ` + next + `q.ref), q.id, q.type FROM queue q WHERE q.ref IS NOT NULL
			ORDER BY 1
		)
		SELECT DISTINCT ref FROM queue WHERE ref IS NOT NULL LIMIT :limit`
}

// Neighbours reads the records that are linked with any of the given ones.
func (t *Tenant) Neighbours(ctx context.Context, query store.AdjacencyQuery) ([]string, error) {
	of, err := splitIDs(query.Of)
	if err != nil {
		return nil, err
	}
	relations, err := namesOrNull(query.Relations)
	if err != nil {
		return nil, err
	}
	args := []driver.NamedValue{
		arg("of", of), arg("relations", relations), arg("after", query.After), arg("limit", max(query.Limit, 0)),
	}
	found := []string{}
	err = t.snapshot(ctx, func(c *conn) error {
		for _, find := range inDirection(query.Direction, neighboursOut, neighboursIn) {
			err := c.search(ctx, find, func(r *row) error {
				found = append(found, r.text())
				return nil
			}, args...)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	found = distinct(found)
	return found[:min(len(found), max(query.Limit, 0))], nil
}

// Exist says which global ids are records.
func (t *Tenant) Exist(ctx context.Context, ids []string) ([]bool, error) {
	list, err := splitIDs(ids)
	if err != nil {
		return nil, err
	}
	const find = `SELECT n.ref FROM json_each(:ids) w CROSS JOIN nodes n ON n.kind = w.value ->> 0 AND n.key = w.value ->> 1`
	there := map[string]bool{}
	err = t.read(ctx, func(c *conn) error {
		return c.search(ctx, find, func(r *row) error {
			there[r.text()] = true
			return nil
		}, arg("ids", list))
	})
	if err != nil {
		return nil, err
	}
	exist := make([]bool, len(ids))
	for i, id := range ids {
		exist[i] = there[id]
	}
	return exist, nil
}

// splitIDs is global ids, each once, as a parameter of pairs of a kind and a key; what cannot be one is
// left out.
func splitIDs(ids []string) (string, error) {
	pairs := make([][2]string, 0, len(ids))
	for _, id := range distinct(ids) {
		if kind, key, ok := memory.SplitID(id); ok {
			pairs = append(pairs, [2]string{string(kind), key})
		}
	}
	return encodeList(pairs)
}

// namesOrNull is names as a parameter, nil as null.
func namesOrNull(names []string) (*string, error) {
	if names == nil {
		return nil, nil
	}
	list, err := jsonOf(names)
	return &list, err
}
