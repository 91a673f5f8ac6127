package sqlite

import (
	"context"
	"database/sql/driver"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/sqlite/db"
)

// fewLinks is how many links a node may have in each direction for all of them to be read at once.
const fewLinks = 256

// The neighbours of given nodes along links out of them and into them, in the order of their ids: of
// nodes that have few links, and of those that have many.
var (
	neighboursOut = scanned("source", "target_ref")
	neighboursIn  = scanned("target", "source_ref")
	hubsOut       = merged("source", "target_ref")
	hubsIn        = merged("target", "source_ref")
)

func scanned(node, ref string) string {
	return `SELECT DISTINCT e.` + ref + ` FROM json_each(:of) w CROSS JOIN edges e ON e.` + node + ` = w.value
		WHERE e.` + ref + ` > :after AND (:relations IS NULL OR e.type IN (SELECT value FROM json_each(:relations)))
		ORDER BY 1 LIMIT :limit`
}

// merged reads hubs lazily. Each pair of a node and a type of its links is a sorted stream in the index; the recursion
// is a queue that yields the first of what it holds and puts in the one that follows it in its stream. It ends when
// enough have come out, so that a page costs one look-up for each neighbour on it, however many there are.
func merged(node, ref string) string {
	first := `(SELECT min(` + ref + `) FROM edges WHERE ` + node + ` = s.id AND type = s.type AND ` + ref + ` > :after)`
	next := `(SELECT min(` + ref + `) FROM edges WHERE ` + node + ` = q.id AND type = q.type AND ` + ref + ` > q.ref)`
	return `WITH RECURSIVE
		types (id, type) AS (
			SELECT value, (SELECT min(type) FROM edges WHERE ` + node + ` = value) FROM json_each(:of)
			UNION ALL
			SELECT t.id, (SELECT min(type) FROM edges WHERE ` + node + ` = t.id AND type > t.type) FROM types t WHERE t.type IS NOT NULL
		),
		streams (id, type) AS (
			SELECT id, type FROM types WHERE type IS NOT NULL
				AND (:relations IS NULL OR type IN (SELECT value FROM json_each(:relations)))
		),
		queue (ref, id, type) AS (
			SELECT ` + first + `, s.id, s.type FROM streams s
			UNION ALL
			SELECT ` + next + `, q.id, q.type FROM queue q WHERE q.ref IS NOT NULL
			ORDER BY 1
		)
		SELECT DISTINCT ref FROM queue WHERE ref IS NOT NULL LIMIT :limit`
}

// Neighbours reads the records that are linked with any of the given ones.
func (t *Tenant) Neighbours(ctx context.Context, query store.AdjacencyQuery) ([]string, error) {
	limit := max(query.Limit, 0)
	args := []driver.NamedValue{db.List("relations", query.Relations), db.Arg("after", query.After), db.Arg("limit", limit)}
	found := []string{}
	err := t.file.Snapshot(ctx, func(c *db.Conn) error {
		few, many, err := byDegree(ctx, c, query.Of)
		for _, step := range []struct {
			of      []int64
			queries []string
		}{
			{few, inDirection(query.Direction, neighboursOut, neighboursIn)}, {many, inDirection(query.Direction, hubsOut, hubsIn)},
		} {
			for _, find := range step.queries {
				if err == nil && len(step.of) > 0 {
					err = c.Search(ctx, find, func(r *db.Row) { found = append(found, r.Text()) }, append(args[:len(args):len(args)], db.List("of", step.of))...)
				}
			}
		}
		return err
	})
	ids := db.Distinct(found)
	return ids[:min(len(ids), limit)], err
}

// byDegree finds the nodes of global ids, those that have few links and those that have many.
func byDegree(ctx context.Context, c *db.Conn, ids []string) (few, many []int64, err error) {
	list, err := splitIDs(ids)
	if err != nil {
		return nil, nil, err
	}
	const find = `SELECT n.id,
			(SELECT 1 FROM edges WHERE source = n.id LIMIT 1 OFFSET :few) IS NULL AND
			(SELECT 1 FROM edges WHERE target = n.id LIMIT 1 OFFSET :few) IS NULL
		FROM json_each(:ids) w CROSS JOIN nodes n ON n.kind = w.value ->> 0 AND n.key = w.value ->> 1`
	err = c.Search(ctx, find, func(r *db.Row) {
		if id := r.Integer(); r.Bool() {
			few = append(few, id)
		} else {
			many = append(many, id)
		}
	}, db.Arg("ids", list), db.Arg("few", fewLinks))
	return few, many, err
}

// Exist says which global ids are records.
func (t *Tenant) Exist(ctx context.Context, ids []string) ([]bool, error) {
	list, err := splitIDs(ids)
	if err != nil {
		return nil, err
	}
	const find = `SELECT n.ref FROM json_each(:ids) w CROSS JOIN nodes n ON n.kind = w.value ->> 0 AND n.key = w.value ->> 1`
	there := map[string]bool{}
	err = t.each(ctx, find, func(r *db.Row) {
		there[r.Text()] = true
	}, db.Arg("ids", list))
	exist := make([]bool, len(ids))
	for i, id := range ids {
		exist[i] = there[id]
	}
	return exist, err
}

// splitIDs is global ids, each once, as a parameter of pairs of a kind and a key; what cannot be one is left out.
func splitIDs(ids []string) (string, error) {
	pairs := make([][2]string, 0, len(ids))
	for _, id := range db.Distinct(ids) {
		if kind, key, ok := memory.SplitID(id); ok {
			pairs = append(pairs, [2]string{string(kind), key})
		}
	}
	return fields.EncodeList(pairs)
}

// The links with one end among the near nodes and one among the far. The first two read all links of the
// near ones; the third looks each pair up.
var (
	scanOut = scannedLinks("source", "target")
	scanIn  = scannedLinks("target", "source")
)

const probeOut = `SELECT e.source_ref, e.target_ref, e.type
	FROM json_each(:far) v CROSS JOIN nodes n ON n.id = v.value CROSS JOIN json_each(:near) w CROSS JOIN json_each(:types) t
	CROSS JOIN edges e ON e.source = w.value AND e.type = t.value AND e.target_ref = n.ref
	ORDER BY e.source_ref, e.target_ref, e.type LIMIT :limit`

func scannedLinks(near, far string) string {
	return `SELECT e.source_ref, e.target_ref, e.type FROM json_each(:near) w CROSS JOIN edges e ON e.` + near + ` = w.value
		WHERE e.` + far + ` IN (SELECT value FROM json_each(:far)) AND e.type IN (SELECT value FROM json_each(:types))
		ORDER BY e.source_ref, e.target_ref, e.type LIMIT :limit`
}

// LinksBetween reads the links between two sets. Where one end has few links all of them are read; where
// both have many they are looked up in pairs.
func (t *Tenant) LinksBetween(ctx context.Context, a, b []string, relations []string, limit int) ([]store.Link, error) {
	if relations == nil {
		relations = store.EdgeTypes
	}
	links := []store.Link{}
	err := t.file.Snapshot(ctx, func(c *db.Conn) error {
		fewA, manyA, err := byDegree(ctx, c, a)
		if err != nil {
			return err
		}
		fewB, manyB, err := byDegree(ctx, c, b)
		for _, step := range []struct {
			find      string
			near, far []int64
		}{
			{scanOut, fewA, slices.Concat(fewB, manyB)},
			{scanIn, fewA, slices.Concat(fewB, manyB)},
			{scanOut, fewB, manyA},
			{scanIn, fewB, manyA},
			{probeOut, manyA, manyB},
			{probeOut, manyB, manyA},
		} {
			if err == nil && len(step.near) > 0 && len(step.far) > 0 {
				err = c.Search(ctx, step.find, func(r *db.Row) {
					links = append(links, store.Link{Source: r.Text(), Target: r.Text(), Type: r.Text()})
				}, db.List("near", step.near), db.List("far", step.far), db.List("types", relations), db.Arg("limit", max(limit, 0)))
			}
		}
		return err
	})
	return store.FirstLinks(links, limit), err
}
