package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"maps"
	"slices"

	"mneme/memory"
	"mneme/store"
)

// filter leaves out what a filter of one kind does not fit.
func (s *search) filter(ctx context.Context, c *conn, query *store.SearchQuery) error {
	if query.Memoir != nil {
		const fits = `SELECT p.id FROM json_each(:ids) w CROSS JOIN concepts p ON p.id = w.value WHERE ` + ofMemoir
		if err := s.keep(ctx, c, fits, arg("memoir", query.Memoir)); err != nil {
			return err
		}
	}
	if len(query.Labels) > 0 {
		labels, err := jsonOf(query.Labels)
		if err != nil {
			return err
		}
		const fits = `SELECT p.id FROM json_each(:ids) w CROSS JOIN concepts p ON p.id = w.value
			WHERE json_valid(p.labels) AND NOT EXISTS (SELECT value FROM json_each(:labels) EXCEPT SELECT value FROM json_each(p.labels))`
		if err := s.keep(ctx, c, fits, arg("labels", labels)); err != nil {
			return err
		}
	}
	if query.Session != nil {
		const fits = `SELECT x.id FROM json_each(:ids) w CROSS JOIN observations x ON x.id = w.value
			WHERE x.session = (SELECT id FROM nodes WHERE kind = 'session' AND key = :session)`
		if err := s.keep(ctx, c, fits, arg("session", query.Session)); err != nil {
			return err
		}
	}
	if query.Topic != nil {
		const fits = `SELECT x.id FROM json_each(:ids) w CROSS JOIN corrections x ON x.id = w.value WHERE x.topic = :topic`
		return s.keep(ctx, c, fits, arg("topic", query.Topic))
	}
	return nil
}

// keep leaves out all but those that a query answers.
func (s *search) keep(ctx context.Context, c *conn, fits string, filter driver.NamedValue) error {
	ids, err := jsonOf(slices.Collect(maps.Keys(s.scores)))
	if err != nil {
		return err
	}
	kept := map[int64]float64{}
	err = c.search(ctx, fits, func(r *row) error {
		id := r.integer()
		kept[id] = s.scores[id]
		return nil
	}, arg("ids", ids), filter)
	s.scores = kept
	return err
}

// top answers the best by score, then by global id.
func (s *search) top(ctx context.Context, c *conn, limit int) ([]store.SearchMatch, error) {
	ids, err := jsonOf(s.noWorseThan(limit))
	if err != nil {
		return nil, err
	}
	var found []store.SearchMatch
	err = c.search(ctx, `SELECT n.id, n.key FROM json_each(:ids) w CROSS JOIN nodes n ON n.id = w.value`, func(r *row) error {
		id := r.integer()
		found = append(found, store.SearchMatch{Kind: s.kindOf[id], Key: r.text(), Score: s.scores[id]})
		return nil
	}, arg("ids", ids))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b store.SearchMatch) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(memory.NodeID(a.Kind, a.Key), memory.NodeID(b.Kind, b.Key)))
	})
	return found[:min(len(found), limit)], nil
}

// noWorseThan are those that may be among the first: all that are as good as the last of them.
func (s *search) noWorseThan(place int) []int64 {
	ids := slices.SortedFunc(maps.Keys(s.scores), func(a, b int64) int { return cmp.Compare(s.scores[b], s.scores[a]) })
	if place <= 0 {
		return nil
	}
	last := place
	for last < len(ids) && s.scores[ids[last]] == s.scores[ids[place-1]] {
		last++
	}
	return ids[:min(last, len(ids))]
}
