package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"slices"

	"mneme/store"
)

// fewLinks is how many links a node may have in each direction for all of them to be read.
const fewLinks = 256

// The links with one end among the near nodes and one among the far. The first two read all links of the
// near ones; the third looks each pair up.
const (
	scanOut = `SELECT e.source_ref, e.target_ref, e.type FROM json_each(:near) w CROSS JOIN edges e ON e.source = w.value
		WHERE e.target IN (SELECT value FROM json_each(:far)) AND e.type IN (SELECT value FROM json_each(:types))
		ORDER BY e.source_ref, e.target_ref, e.type LIMIT :limit`
	scanIn = `SELECT e.source_ref, e.target_ref, e.type FROM json_each(:near) w CROSS JOIN edges e ON e.target = w.value
		WHERE e.source IN (SELECT value FROM json_each(:far)) AND e.type IN (SELECT value FROM json_each(:types))
		ORDER BY e.source_ref, e.target_ref, e.type LIMIT :limit`
	probeOut = `SELECT e.source_ref, e.target_ref, e.type
		FROM json_each(:far) v CROSS JOIN nodes n ON n.id = v.value CROSS JOIN json_each(:near) w CROSS JOIN json_each(:types) t
		CROSS JOIN edges e ON e.source = w.value AND e.type = t.value AND e.target_ref = n.ref
		ORDER BY e.source_ref, e.target_ref, e.type LIMIT :limit`
)

// LinksBetween reads the links between two sets. Where one end has few links all of them are read; where
// both have many they are looked up in pairs.
func (t *Tenant) LinksBetween(ctx context.Context, a, b []string, relations []string, limit int) ([]store.Link, error) {
	if relations == nil {
		relations = store.EdgeTypes
	}
	types, err := jsonOf(relations)
	if err != nil {
		return nil, err
	}
	found := linkSet{}
	err = t.snapshot(ctx, func(c *conn) error {
		lightA, heavyA, err := byDegree(ctx, c, a)
		if err != nil {
			return err
		}
		lightB, heavyB, err := byDegree(ctx, c, b)
		if err != nil {
			return err
		}
		for _, step := range []struct {
			find      string
			near, far []int64
		}{
			{scanOut, lightA, slices.Concat(lightB, heavyB)},
			{scanIn, lightA, slices.Concat(lightB, heavyB)},
			{scanOut, lightB, heavyA},
			{scanIn, lightB, heavyA},
			{probeOut, heavyA, heavyB},
			{probeOut, heavyB, heavyA},
		} {
			if err := found.add(ctx, c, step.find, step.near, step.far, arg("types", types), arg("limit", max(limit, 0))); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return found.first(max(limit, 0)), nil
}

// byDegree finds the nodes of global ids, those that have few links and those that have many.
func byDegree(ctx context.Context, c *conn, ids []string) (light, heavy []int64, err error) {
	list, err := splitIDs(ids)
	if err != nil {
		return nil, nil, err
	}
	const find = `SELECT n.id,
			(SELECT count(*) FROM (SELECT 1 FROM edges WHERE source = n.id LIMIT :many)) < :many AND
			(SELECT count(*) FROM (SELECT 1 FROM edges WHERE target = n.id LIMIT :many)) < :many
		FROM json_each(:ids) w CROSS JOIN nodes n ON n.kind = w.value ->> 0 AND n.key = w.value ->> 1`
	err = c.search(ctx, find, func(r *row) error {
		if id := r.integer(); r.bool() {
			light = append(light, id)
		} else {
			heavy = append(heavy, id)
		}
		return nil
	}, arg("ids", list), arg("many", fewLinks+1))
	return light, heavy, err
}

// linkSet is links, each once.
type linkSet map[store.Link]bool

func (l linkSet) add(ctx context.Context, c *conn, find string, near, far []int64, args ...driver.NamedValue) error {
	if len(near) == 0 || len(far) == 0 {
		return nil
	}
	nearList, err := jsonOf(near)
	if err != nil {
		return err
	}
	farList, err := jsonOf(far)
	if err != nil {
		return err
	}
	return c.search(ctx, find, func(r *row) error {
		l[store.Link{Source: r.text(), Target: r.text(), Type: r.text()}] = true
		return nil
	}, append(args, arg("near", nearList), arg("far", farList))...)
}

// first are the first links by source, target and type.
func (l linkSet) first(limit int) []store.Link {
	links := make([]store.Link, 0, len(l))
	for link := range l {
		links = append(links, link)
	}
	slices.SortFunc(links, func(a, b store.Link) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Target, b.Target), cmp.Compare(a.Type, b.Type))
	})
	return links[:min(len(links), limit)]
}
