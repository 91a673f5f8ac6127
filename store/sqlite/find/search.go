package find

import (
	"cmp"
	"context"
	"database/sql/driver"
	"slices"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/meanings"
	"mneme/store/sqlite/words"
)

// Search ranks records of several kinds together. Each kind is asked apart, so that no kind costs the others
// anything, and a word is as rare as it is among all kinds that are asked.
func Search(ctx context.Context, c *db.Conn, query *store.SearchQuery, bounds Bounds) ([]store.SearchMatch, error) {
	asked, err := words.Ask(c, query.Kinds, query.Text, bounds.Entries)
	if err != nil || asked.Possible == 0 {
		return nil, err
	}
	s := search{ctx: ctx, conn: c, query: query, bounds: bounds, asked: asked, near: map[int64]bool{}}
	s.vector, s.compares = vectorOf(c, query.Text, asked)
	nearest := make([]func() ([]int64, error), len(asked.Kinds))
	for i, kind := range asked.Kinds {
		if nearest[i], err = s.beginMeanings(kind); err != nil {
			return nil, err
		}
	}
	for i, kind := range asked.Kinds {
		if err := s.match(kind, nearest[i]); err != nil {
			return nil, err
		}
	}
	s.found = slices.DeleteFunc(s.found, func(f found) bool { return f.parts.Words <= 0 && !s.near[f.id] })
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
	// vector is what the query means, if it compares with what is kept.
	vector   meaning.Vector
	compares bool
	near     map[int64]bool // those that are found by what they mean
	found    []found
}

// found is a record that was scored.
type found struct {
	id    int64
	kind  memory.Kind
	parts matching.Parts
	// run is where it stands in its session, and at its place there; nil where it is by itself.
	run *window
	at  int
}

// match scores the records of a kind: those that have words, and those that are near.
func (s *search) match(kind memory.Kind, near func() ([]int64, error)) error {
	matched, _, err := hits(s.ctx, s.conn, s.asked, kind, s.bounds.Entries)
	if err != nil {
		return err
	}
	if matched, err = s.filter(kind, matched); err != nil {
		return err
	}
	meant, err := near()
	if err != nil || len(matched)+len(meant) == 0 {
		return err
	}
	if kind == memory.KindObservation && s.query.Neighbours {
		return s.inSessions(matched, meant)
	}
	return s.alone(kind, matched, meant)
}

// beginMeanings has the records of a kind looked for that are nearest by what they mean. What it answers gives them.
func (s *search) beginMeanings(kind memory.Kind) (finish func() ([]int64, error), err error) {
	if !s.compares {
		return func() ([]int64, error) { return nil, nil }, nil
	}
	listed := func(most int) ([]int64, bool, error) { return s.passing(kind, most) }
	pass := func(nodes []int64) ([]int64, error) {
		matched := make([]hit, len(nodes))
		for i, node := range nodes {
			matched[i].id = node
		}
		matched, err := s.filter(kind, matched)
		return idsOf(matched), err
	}
	wanted := meanings.Wanted{Kind: kind, Query: s.vector.Code(), Most: store.NearestMatches, Among: listed, Passes: pass}
	nearest, err := meanings.BeginNearest(s.ctx, s.conn, wanted)
	if err != nil {
		return nil, err
	}
	return func() ([]int64, error) {
		nearest, err := nearest()
		ids := make([]int64, len(nearest))
		for i, n := range nearest {
			ids[i] = n.Node
			s.near[n.Node] = true
		}
		return ids, err
	}, nil
}

// passing are the records of a kind that pass a filter which an index knows, by id, where they are fewer than so many: among the
// nearest of all kinds of sessions there may be none of one.
func (s *search) passing(kind memory.Kind, most int) (few []int64, all bool, err error) {
	var read string
	var filter driver.NamedValue
	switch q := s.query; {
	case q.Session != nil && kind == memory.KindObservation:
		read = `SELECT x.id FROM observations x WHERE x.session = (SELECT id FROM nodes WHERE kind = 'session' AND key = :session) LIMIT :most`
		filter = db.Arg("session", q.Session)
	case q.Topic != nil && kind == memory.KindCorrection:
		read, filter = `SELECT x.id FROM corrections x WHERE x.topic = :topic LIMIT :most`, db.Arg("topic", q.Topic)
	case q.Memoir != nil && kind == memory.KindConcept:
		read, filter = `SELECT p.id FROM concepts p WHERE `+graph.OfMemoir+` LIMIT :most`, db.Arg("memoir", q.Memoir)
	default:
		return nil, false, nil
	}
	err = s.conn.Search(s.ctx, read, func(r *db.Row) error {
		few = append(few, r.Integer())
		return nil
	}, filter, db.Arg("most", most))
	slices.Sort(few)
	return few, len(few) < most, err
}

// alone scores the records that promise most, each by itself.
func (s *search) alone(kind memory.Kind, matched []hit, meant []int64) error {
	if len(matched) > s.bounds.Scored {
		promises := make(map[int64]float64, len(matched))
		for _, h := range matched {
			promises[h.id] = s.asked.Promises([]matching.Has{h.has})[0]
		}
		matched = mostPromising(matched, promises, s.bounds.Scored)
	}
	ids := db.Distinct(append(idsOf(matched), meant...))
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
