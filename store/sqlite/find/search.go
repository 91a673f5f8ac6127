package find

import (
	"cmp"
	"context"
	"database/sql/driver"
	"slices"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/words"
)

// Search ranks records of several kinds together. Each kind is asked apart, so that no kind costs the others
// anything, and a word is as rare as it is among all kinds that are asked.
func Search(ctx context.Context, c *db.Conn, query *store.SearchQuery, bounds Bounds) ([]store.SearchMatch, error) {
	asked, err := words.Ask(c, query.Kinds, query.Text, bounds.Entries)
	if err != nil || asked.Looked == 0 {
		return nil, err
	}
	s := search{ctx: ctx, conn: c, query: query, bounds: bounds, asked: asked}
	for _, kind := range asked.Kinds {
		if err := s.match(kind); err != nil {
			return nil, err
		}
	}
	s.found = slices.DeleteFunc(s.found, func(f found) bool { return f.parts.Words <= 0 })
	s.bestFirst()
	if err := s.lift(); err != nil {
		return nil, err
	}
	return s.top()
}

// search is what matches a query.
type search struct {
	ctx    context.Context // it lives as long as the call
	conn   *db.Conn
	query  *store.SearchQuery
	bounds Bounds
	asked  *words.Asked
	found  []found
}

// found is a record that was scored.
type found struct {
	id    int64
	kind  memory.Kind
	parts matching.Parts
}

// match scores the records of a kind.
func (s *search) match(kind memory.Kind) error {
	matched, _, err := hits(s.ctx, s.conn, s.asked, kind, s.bounds.Entries)
	if err != nil || len(matched) == 0 {
		return err
	}
	if matched, err = s.filter(kind, matched); err != nil || len(matched) == 0 {
		return err
	}
	if kind == memory.KindObservation && s.query.Neighbours {
		return s.inSessions(matched)
	}
	return s.alone(kind, matched)
}

// alone scores the records that promise most, each by itself.
func (s *search) alone(kind memory.Kind, matched []hit) error {
	if len(matched) > s.bounds.Scored {
		promises := make(map[int64]float64, len(matched))
		for _, h := range matched {
			promises[h.id] = s.asked.Promises([]matching.Has{h.has})[0]
		}
		matched = mostPromising(matched, promises, s.bounds.Scored)
	}
	ids := idsOf(matched)
	read, err := documents(s.ctx, s.conn, s.asked, kind, ids)
	for _, id := range ids {
		own := s.asked.Alone(read[id])
		s.found = append(s.found, found{id: id, kind: kind, parts: matching.Parts{Match: matching.Match{Words: own, Own: own}}})
	}
	return err
}

// mostPromising are so many that promise most, of equals the latest recorded.
func mostPromising(matched []hit, promises map[int64]float64, most int) []hit {
	slices.SortFunc(matched, func(a, b hit) int {
		return cmp.Or(cmp.Compare(promises[b.id], promises[a.id]), cmp.Compare(b.id, a.id))
	})
	return matched[:min(len(matched), most)]
}

func idsOf(matched []hit) []int64 {
	ids := make([]int64, len(matched))
	for i, h := range matched {
		ids[i] = h.id
	}
	return ids
}

// filter leaves out what a filter does not fit: those of one kind fit no other.
func (s *search) filter(kind memory.Kind, matched []hit) ([]hit, error) {
	q := s.query
	of := func(other memory.Kind) bool { return kind == other }
	switch {
	case (q.Memoir != nil || len(q.Labels) > 0) && !of(memory.KindConcept),
		q.Session != nil && !of(memory.KindObservation), q.Topic != nil && !of(memory.KindCorrection):
		return nil, nil
	}
	var err error
	if q.Memoir != nil {
		const fits = `SELECT p.id FROM json_each(:ids) w CROSS JOIN concepts p ON p.id = w.value WHERE ` + graph.OfMemoir
		if matched, err = s.keep(matched, fits, db.Arg("memoir", q.Memoir)); err != nil {
			return nil, err
		}
	}
	if len(q.Labels) > 0 {
		labels, err := db.JSONOf(q.Labels)
		if err != nil {
			return nil, err
		}
		const fits = `SELECT p.id FROM json_each(:ids) w CROSS JOIN concepts p ON p.id = w.value
			WHERE json_valid(p.labels) AND NOT EXISTS (SELECT value FROM json_each(:labels) EXCEPT SELECT value FROM json_each(p.labels))`
		if matched, err = s.keep(matched, fits, db.Arg("labels", labels)); err != nil {
			return nil, err
		}
	}
	if q.Session != nil {
		const fits = `SELECT x.id FROM json_each(:ids) w CROSS JOIN observations x ON x.id = w.value
			WHERE x.session = (SELECT id FROM nodes WHERE kind = 'session' AND key = :session)`
		if matched, err = s.keep(matched, fits, db.Arg("session", q.Session)); err != nil {
			return nil, err
		}
	}
	if q.Topic != nil {
		const fits = `SELECT x.id FROM json_each(:ids) w CROSS JOIN corrections x ON x.id = w.value WHERE x.topic = :topic`
		return s.keep(matched, fits, db.Arg("topic", q.Topic))
	}
	return matched, nil
}

// keep leaves out all but those that a query answers.
func (s *search) keep(matched []hit, fits string, filter driver.NamedValue) ([]hit, error) {
	ids, err := db.JSONOf(idsOf(matched))
	if err != nil {
		return nil, err
	}
	kept := map[int64]bool{}
	err = s.conn.Search(s.ctx, fits, func(r *db.Row) error {
		kept[r.Integer()] = true
		return nil
	}, db.Arg("ids", ids), filter)
	return slices.DeleteFunc(matched, func(h hit) bool { return !kept[h.id] }), err
}

// bestFirst sorts by score; of equals the latest recorded comes first.
func (s *search) bestFirst() {
	slices.SortFunc(s.found, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.parts.Score(), a.parts.Score()), cmp.Compare(b.id, a.id))
	})
}

// spoken reads of records of a kind when they are from, and how those open that somebody may speak in.
var spoken = map[memory.Kind]string{
	memory.KindEpisode: `SELECT e.id, e.started_at, substr(t.observation, 1, 100), a.key FROM json_each(:ids) w CROSS JOIN episodes e ON e.id = w.value
		JOIN contents t ON t.episode = e.id LEFT JOIN nodes a ON a.id = e.agent`,
	memory.KindObservation: `SELECT x.id, x.created_at, substr(x.content, 1, 100), NULL FROM json_each(:ids) w CROSS JOIN observations x ON x.id = w.value`,
	memory.KindMemoir:      `SELECT x.id, x.created_at, NULL, NULL FROM json_each(:ids) w CROSS JOIN memoirs x ON x.id = w.value`,
	memory.KindConcept:     `SELECT x.id, x.created_at, NULL, NULL FROM json_each(:ids) w CROSS JOIN concepts x ON x.id = w.value`,
	memory.KindCorrection:  `SELECT x.id, x.created_at, NULL, NULL FROM json_each(:ids) w CROSS JOIN corrections x ON x.id = w.value`,
	memory.KindFeedback:    `SELECT x.id, x.created_at, NULL, NULL FROM json_each(:ids) w CROSS JOIN feedback x ON x.id = w.value`,
}

// lift adds to the best what the query says of a time and a speaker.
func (s *search) lift() error {
	dates, names := matching.Dates(s.query.Text), matching.NamesIn(s.query.Text)
	best := s.found[:min(len(s.found), store.LiftedMatches)]
	ids, parts := map[memory.Kind][]int64{}, make(map[int64]*matching.Parts, len(best))
	for i := range best {
		ids[best[i].kind] = append(ids[best[i].kind], best[i].id)
		parts[best[i].id] = &best[i].parts
	}
	for _, kind := range s.asked.Kinds {
		list, err := db.JSONOf(ids[kind])
		if err != nil || len(ids[kind]) == 0 {
			if err != nil {
				return err
			}
			continue
		}
		err = s.conn.Search(s.ctx, spoken[kind], func(r *db.Row) error {
			p := parts[r.Integer()]
			p.Date = matching.Near(dates, r.AnyTime())
			opening, _ := db.Read[string](r)
			agent, _ := db.Read[string](r)
			p.Speaker, _ = names.Speaker(opening, agent)
			return nil
		}, db.Arg("ids", list))
		if err != nil {
			return err
		}
	}
	s.bestFirst()
	return nil
}

// top answers the best by score, then by global id.
func (s *search) top() ([]store.SearchMatch, error) {
	best := s.noWorseThan(s.query.Limit)
	at, ids := make(map[int64]*found, len(best)), make([]int64, len(best))
	for i := range best {
		at[best[i].id], ids[i] = &best[i], best[i].id
	}
	list, err := db.JSONOf(ids)
	if err != nil {
		return nil, err
	}
	matches := make([]store.SearchMatch, 0, len(best))
	err = s.conn.Search(s.ctx, `SELECT n.id, n.key FROM json_each(:ids) w CROSS JOIN nodes n ON n.id = w.value`, func(r *db.Row) error {
		f := at[r.Integer()]
		matches = append(matches, store.SearchMatch{Kind: f.kind, Key: r.Text(), Score: f.parts.Score(), Parts: f.parts})
		return nil
	}, db.Arg("ids", list))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(matches, func(a, b store.SearchMatch) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(memory.NodeID(a.Kind, a.Key), memory.NodeID(b.Kind, b.Key)))
	})
	return matches[:min(len(matches), s.query.Limit)], nil
}

// noWorseThan are those that may be among the first: all that are as good as the last of them.
func (s *search) noWorseThan(place int) []found {
	last := min(max(0, place), len(s.found))
	for last > 0 && last < len(s.found) && s.found[last].parts.Score() == s.found[last-1].parts.Score() {
		last++
	}
	return s.found[:last]
}
