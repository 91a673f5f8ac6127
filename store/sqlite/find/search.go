package find

import (
	"cmp"
	"context"
	"database/sql/driver"
	"slices"
	"strings"
	"time"

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
	s := search{ctx: ctx, conn: c, query: query, bounds: bounds, asked: asked, near: map[int64]bool{}, matches: map[memory.Kind][]match{}}
	s.vector, s.compares = vectorOf(c, query.Text, asked)
	s.dates = matching.Dates(query.Text)
	nearest := make([]func() ([]match, error), len(asked.Kinds))
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
	if err := s.alone(); err != nil {
		return nil, err
	}
	s.found = slices.DeleteFunc(s.found, func(f found) bool { return f.parts.Words <= 0 && !s.near[f.id] })
	s.bestFirst()
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
	dates    []matching.Date
	near     map[int64]bool          // those that are found by what they mean
	matches  map[memory.Kind][]match // those that are scored each by itself
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
	// promise is about what it scores until it is lifted, where it stands in a session.
	promise float64
}

// match finds the records of a kind that have words, and those that are near.
func (s *search) match(kind memory.Kind, near func() ([]match, error)) error {
	inSessions := kind == memory.KindObservation && s.query.Neighbours
	byWords, err := s.byWords(kind)
	if err != nil {
		return err
	}
	meant, err := near()
	if err != nil || len(byWords)+len(meant) == 0 {
		return err
	}
	matches := union(byWords, meant)
	if inSessions {
		return s.inSessions(matches)
	}
	s.matches[kind] = matches
	return nil
}

// byWords are the records of a kind that have words and pass the filter. Where no more than are looked at pass one that an index knows it is all
// these, with words or not: of a common word only the latest recorded are found, and there may be none of a session among them.
func (s *search) byWords(kind memory.Kind) (matched []hit, err error) {
	passing, all, err := s.passing(kind, s.bounds.Scored+1)
	switch {
	case err != nil:
		return nil, err
	case all:
		matched, err = s.having(kind, passing)
	default:
		matched, _, err = hits(s.ctx, s.conn, s.asked, kind, s.bounds.Entries)
	}
	if err != nil {
		return nil, err
	}
	return s.filter(kind, matched)
}

// having says of a few records of a kind which of the words they have, which their bags tell; not of so few that all are looked at.
func (s *search) having(kind memory.Kind, ids []int64) ([]hit, error) {
	matched := make([]hit, len(ids))
	for i, id := range ids {
		matched[i].id = id
	}
	if len(ids) <= s.bounds.Windows {
		return matched, nil
	}
	read, err := documents(s.ctx, s.conn, s.asked, kind, ids)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		for word, count := range read[id].Counts {
			if count > 0 {
				matched[i].has |= matching.Has(1) << word
			}
		}
	}
	return matched, nil
}

// promise says about what records of a kind will score, each by itself: by the words that they have, how near they seem to be and, where the
// query names a time, when they are from. Who says it is left open.
func (s *search) promise(kind memory.Kind, matches []match) error {
	at, err := s.times(kind, matches)
	if err != nil {
		return err
	}
	s.guess(kind, matches)
	for i := range matches {
		m := &matches[i]
		words := 0.0
		if m.has != 0 {
			words = s.asked.Promises([]matching.Has{m.has})[0]
		}
		m.promise = s.expected(words, m.cosine, at[m.id])
	}
	return nil
}

// expected is about what a record scores.
func (s *search) expected(words, near float64, at time.Time) float64 {
	parts := matching.Parts{Match: matching.Match{Words: words}, Meaning: near, Compared: s.compares, Date: matching.Near(s.dates, at)}
	return parts.Score()
}

// times are when matches are from, where the query names a time.
func (s *search) times(kind memory.Kind, matches []match) (map[int64]time.Time, error) {
	if len(s.dates) == 0 {
		return nil, nil
	}
	list := db.JSONOf(matchIDs(matches))
	at := make(map[int64]time.Time, len(matches))
	return at, s.conn.Search(s.ctx, told[kind].read(``), func(r *db.Row) error {
		id := r.Integer()
		at[id] = r.AnyTime()
		return nil
	}, db.Arg("ids", list))
}

// guess says of matches about how near their meanings are, where they are not among the nearest.
func (s *search) guess(kind memory.Kind, matches []match) {
	if s.compares {
		guess(s.conn, kind, &s.vector, matches)
	}
}

// beginMeanings has the records of a kind looked for that are nearest by what they mean. What it answers gives them.
func (s *search) beginMeanings(kind memory.Kind) (finish func() ([]match, error), err error) {
	if !s.compares {
		return func() ([]match, error) { return nil, nil }, nil
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
	wanted := meanings.Wanted{Kind: kind, Query: s.vector, Most: store.NearestMatches, Among: listed, Passes: pass}
	nearest, err := meanings.BeginNearest(s.ctx, s.conn, wanted)
	if err != nil {
		return nil, err
	}
	return func() ([]match, error) {
		nearest, _, err := nearest()
		for _, n := range nearest {
			s.near[n.Node] = true
		}
		return matchesNear(nearest), err
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
		return s.labelled(kind, most)
	}
	err = s.conn.Search(s.ctx, read, func(r *db.Row) error {
		few = append(few, r.Integer())
		return nil
	}, filter, db.Arg("most", most))
	if err != nil {
		return nil, false, err
	}
	if len(few) >= most {
		return s.labelled(kind, most)
	}
	slices.Sort(few)
	return few, true, nil
}

// labelled are, by id, the concepts that may have the labels that are asked for: labels are among their words.
func (s *search) labelled(kind memory.Kind, most int) (few []int64, all bool, err error) {
	if len(s.query.Labels) == 0 || kind != memory.KindConcept {
		return nil, false, nil
	}
	return words.HavingAll(s.ctx, s.conn, kind, strings.Join(s.query.Labels, "\n"), most)
}

// single is a match of a kind that is scored by itself.
type single struct {
	match
	kind memory.Kind
}

// alone scores those that promise most of all kinds, and all that are near, each by itself.
func (s *search) alone() error {
	count := 0
	for _, matches := range s.matches {
		count += len(matches)
	}
	all := make([]single, 0, count)
	for _, kind := range s.asked.Kinds {
		if count > s.bounds.Scored {
			if err := s.promise(kind, s.matches[kind]); err != nil {
				return err
			}
		}
		for _, m := range s.matches[kind] {
			all = append(all, single{m, kind})
		}
	}
	byKind := map[memory.Kind][]int64{}
	for _, m := range s.mostPromising(all) {
		byKind[m.kind] = append(byKind[m.kind], m.id)
	}
	for _, kind := range s.asked.Kinds {
		if err := s.score(kind, byKind[kind]); err != nil {
			return err
		}
	}
	return nil
}

// mostPromising are as many as are scored, and all that are near.
func (s *search) mostPromising(all []single) []single {
	if len(all) <= s.bounds.Scored {
		return all
	}
	db.BringForward(all, s.bounds.Scored, func(a, b *single) bool { return promisesMore(&a.match, &b.match) })
	most := all[:s.bounds.Scored:s.bounds.Scored]
	for _, m := range all[s.bounds.Scored:] {
		if s.near[m.id] {
			most = append(most, m)
		}
	}
	return most
}

// score scores records of a kind, each by itself.
func (s *search) score(kind memory.Kind, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	read, err := documents(s.ctx, s.conn, s.asked, kind, ids)
	if err != nil {
		return err
	}
	scored, lifted := make([]found, len(ids)), make([]*found, len(ids))
	for i, id := range ids {
		own := s.asked.Alone(read[id])
		scored[i] = found{id: id, kind: kind, parts: matching.Parts{Match: matching.Match{Words: own, Own: own}}}
		lifted[i] = &scored[i]
	}
	err = s.lift(kind, lifted)
	s.found = append(s.found, scored...)
	return err
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
		(q.Session != nil || q.Weighing != nil) && !of(memory.KindObservation), q.Topic != nil && !of(memory.KindCorrection):
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
		labels := db.JSONOf(q.Labels)
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
	return s.heavyEnough(matched)
}

// heavyEnough leaves out the observations that weigh less than is asked for.
func (s *search) heavyEnough(matched []hit) ([]hit, error) {
	asked := s.query.Weighing
	if asked == nil {
		return matched, nil
	}
	var w db.Conditions
	w.Add(graph.Weight(&w, asked.Policy, asked.Now)+` >= :least`, db.Arg("least", asked.Least))
	return s.keep(matched, `SELECT x.id FROM json_each(:ids) w CROSS JOIN observations x ON x.id = w.value WHERE `+w.SQL(), w.Args...)
}

// keep leaves out all but those that a query answers.
func (s *search) keep(matched []hit, fits string, filter ...driver.NamedValue) ([]hit, error) {
	ids := db.JSONOf(idsOf(matched))
	kept := map[int64]bool{}
	err := s.conn.Search(s.ctx, fits, func(r *db.Row) error {
		kept[r.Integer()] = true
		return nil
	}, append(filter, db.Arg("ids", ids))...)
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
	list := db.JSONOf(ids)
	matches := make([]store.SearchMatch, 0, len(best))
	err := s.conn.Search(s.ctx, `SELECT n.id, n.key FROM json_each(:ids) w CROSS JOIN nodes n ON n.id = w.value`, func(r *db.Row) error {
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
