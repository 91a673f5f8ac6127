package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"slices"

	"mneme/store"
)

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
		fewA, manyA, err := byDegree(ctx, c, a)
		if err != nil {
			return err
		}
		fewB, manyB, err := byDegree(ctx, c, b)
		if err != nil {
			return err
		}
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
