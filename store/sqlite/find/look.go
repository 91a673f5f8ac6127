package find

import (
	"cmp"
	"database/sql/driver"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/meanings"
)

// look reads what the ranking needs to know of the most promising matches, until enough of them pass the filter.
func (r *recall) look(matches []match) ([]seen, error) {
	matches, err := r.narrow(matches)
	if err != nil || len(matches) == 0 {
		return nil, err
	}
	size := r.looks(len(matches))
	if len(matches) > size {
		if err := r.promise(matches, size); err != nil {
			return nil, err
		}
	}
	enough := max(r.top(), min(r.query.Limit, size*3/4)) // a filter lets pass
	part, rest := cutAt(matches, size)
	found, err := r.lookAt(part)
	for err == nil && len(rest) > 0 && len(found) < enough {
		size *= 2
		part, rest = cutAt(rest, size)
		var more []seen
		more, err = r.lookAt(part)
		found = append(found, more...)
	}
	if err == nil && r.near != nil {
		found, err = r.lookOn(found, matches[:len(matches)-len(rest)], rest, enough)
	}
	r.rest = len(rest) > 0 || r.near != nil && r.near.head > 0
	r.approximate = r.approximate || r.rest
	return found, err
}

// looks is how many of so many matches are looked at first: all where the pool has room for them.
func (r *recall) looks(matches int) int {
	if matches <= r.query.Limit {
		return matches
	}
	most := r.bounds.Look
	if r.near != nil { // as how near they are is only guessed
		most = r.bounds.Vectors
	}
	return max(most, lookedOf*r.top())
}

// lookedOf is how many times as many as will be answered are looked at: by twice as many, one in seven was missed of the fifty that a choice of
// agents goes by, where nothing but the match counts.
const lookedOf = 10

// say takes in what an episode has of the words, and how near it is to a time that the situation names.
func (r *recall) say(match *matching.Parts, share float64, at time.Time) {
	match.Words, match.Own, match.Wordless = share, share, r.asked.Possible == 0
	match.Date = matching.Near(r.dates, at)
}

// cutAt takes the most promising ones.
func cutAt(matches []match, size int) (part, rest []match) {
	if size >= len(matches) {
		return matches, nil
	}
	db.BringForward(matches, size, promisesMore)
	return matches[:size], matches[size:]
}

func matchIDs(matches []match) []int64 {
	ids := make([]int64, len(matches), 2*len(matches))
	for i, m := range matches {
		ids[i] = m.id
	}
	return ids
}

// How many entries of an index are read in the time of a look at an episode that is not in memory, and at most.
const (
	listed     = 16
	mostListed = 20_000
)

// narrow keeps what one condition of the filter lets pass, where an index lists what passes in less time than it
// takes to look at the matches. These are sorted by id, and stay so.
func (r *recall) narrow(matches []match) ([]match, error) {
	if len(matches) <= r.bounds.Look {
		return matches, nil
	}
	if r.near != nil {
		return slices.DeleteFunc(matches, func(m match) bool { return !r.near.may(m.id) }), nil
	}
	passing, all, err := r.passing(min(listed*len(matches), mostListed))
	if err != nil || !all {
		return matches, err
	}
	return slices.DeleteFunc(matches, func(m match) bool {
		_, passes := slices.BinarySearch(passing, m.id)
		return !passes
	}), nil
}

// few are the episodes that one condition of the filter lets pass, by id, where these are so few that all are looked at: no
// index finds as surely as that, and of a word that many have, or by meaning, the few might be passed over.
func (r *recall) few() (ids []int64, all bool, err error) {
	if len(r.query.Embedding) > 0 || r.query.Filter == (store.EpisodeFilter{}) || r.bounds.Few == 0 {
		return nil, false, nil
	}
	most := r.bounds.Few + 1
	if ids, all, err = r.passing(most); err != nil || all {
		return ids, all, err
	}
	shown := graph.ShownIn(&r.query.Filter)
	if shown.Find == "" {
		return nil, false, nil
	}
	many, err := r.conn.One(`SELECT 1 FROM `+shown.Table+` LIMIT 1 OFFSET :passed`, func(*db.Row) {}, db.Arg("passed", r.bounds.Passed))
	if err != nil || many {
		return nil, false, err
	}
	return r.listed(shown.Find, shown.Args, most)
}

// passing are the episodes that one condition of the filter lets pass, by id, where an index lists them and they are
// fewer than so many; all is false where none does.
func (r *recall) passing(most int) (ids []int64, all bool, err error) {
	f := &r.query.Filter
	for _, filter := range []store.EpisodeFilter{{Session: f.Session}, {TaskType: f.TaskType}, {Agent: f.Agent}, {Since: f.Since, Until: f.Until}} {
		w := graph.Filtered(&filter, nil)
		if len(w.Texts) == 0 {
			continue
		}
		if ids, all, err = r.listed(`SELECT e.id FROM episodes e WHERE `+w.SQL(), w.Args, most); err != nil || all {
			return ids, all, err
		}
	}
	if w := graph.Rated(f, r.query.AsOf); len(w.Texts) > 0 {
		return r.listed(`SELECT e.id FROM episodes e WHERE `+w.SQL(), w.Args, most)
	}
	return nil, false, nil
}

// listed are the episodes that a query gives, by id, if they are fewer than so many.
func (r *recall) listed(find string, args []driver.NamedValue, most int) (ids []int64, all bool, err error) {
	err = r.conn.Search(r.ctx, find+` LIMIT :most`, func(row *db.Row) error {
		ids = append(ids, row.Integer())
		return nil
	}, append(args, db.Arg("most", most))...)
	if err != nil || len(ids) >= most {
		return nil, false, err
	}
	slices.Sort(ids)
	return ids, true, nil
}

func asMatches(ids []int64) []match {
	matches := make([]match, len(ids))
	for i, id := range ids {
		matches[i].id = id
	}
	return matches
}

// matching leaves of all that pass the filter what has words that are looked for or is among the nearest, as the indexes would find it; where
// nothing does, all stay, as what is newest would.
func (r *recall) matching(all []seen) []seen {
	slices.SortFunc(all, func(a, b seen) int {
		return cmp.Or(cmp.Compare(b.Match.Meaning, a.Match.Meaning), cmp.Compare(b.id, a.id))
	})
	found, near := make([]seen, 0, len(all)), 0
	for _, s := range all {
		isNear := s.Match.Compared && s.Match.Meaning >= matching.LeastMeaning && near < store.NearestMatches
		if isNear {
			near++
		}
		if isNear || s.sought {
			found = append(found, s)
		}
	}
	if len(found) > 0 {
		return found
	}
	for i := range all {
		all[i].Match = matching.Parts{}
	}
	return all
}

// lookAt reads a part of the matches, and scores by words, meaning and time those that were known and pass the filter.
func (r *recall) lookAt(part []match) ([]seen, error) {
	list := db.JSONOf(matchIDs(part))
	w := graph.Filtered(&r.query.Filter, r.query.AsOf)
	graph.AddKnown(&w, r.query.AsOf)
	found := make([]seen, 0, len(part))
	bag, spoken := `NULL`, ``
	if r.asked.Possible > 0 {
		bag, spoken = `b.bag`, ` LEFT JOIN bags b ON b.id = e.id`
	}
	revision, meant := `0`, ``
	if r.compares {
		revision, meant = `coalesce(m.revision, 0)`, ` LEFT JOIN meanings m ON m.node = e.id`
	}
	revisions := make([]int64, 0, len(part))
	cosine, vectors, args := r.compared()
	find := `SELECT e.id, e.started_at, ` + r.aggregates() + `, ` + cosine + `, ` + bag + `, ` + revision + ` FROM json_each(:ids) w
		CROSS JOIN episodes e ON e.id = w.value` + spoken + vectors + meant + ` WHERE ` + w.SQL()
	err := r.conn.Search(r.ctx, find, func(row *db.Row) error {
		s := seenOf(row)
		s.readCosine(row)
		bag, _ := db.Read[string](row)
		revisions = append(revisions, row.Integer())
		said := r.asked.Document(bag, memory.KindEpisode)
		s.sought = r.asked.Sought(said)
		r.say(&s.Match, r.asked.Alone(said), s.StartedAt)
		found = append(found, s)
		return nil
	}, append(append(w.Args, args...), db.Arg("ids", list))...)
	if err != nil || !r.compares {
		return found, err
	}
	asked := r.vector.Asked()
	return found, meanings.Codes(r.ctx, r.conn, memory.KindEpisode, revisions, func(i int, codes []meanings.Kept) {
		found[i].Match.Meaning, found[i].Match.Compared = meanings.Best(&asked, codes), true
	})
}

// seenOf reads id, start and aggregates.
func seenOf(row *db.Row) seen {
	return seen{id: row.Integer(), Candidate: ranking.Candidate{
		StartedAt: row.AnyTime(), CanvasActionCount: row.Int(), FeedbackSum: row.Sum(), FeedbackCount: row.Int(),
	}}
}

// aggregates are those of the query's instant. What has none now had none then.
func (r *recall) aggregates() string {
	if r.query.AsOf == nil {
		return graph.AggregatesNow
	}
	return graph.AggregatesThen
}

// beginMeanings has the episodes looked for whose meanings are nearest to that of the situation: among those that pass the filter
// where these are few, else among all. What it answers gives them by id.
func (r *recall) beginMeanings() (finish func() ([]match, error), err error) {
	if !r.compares {
		return func() ([]match, error) { return nil, nil }, nil
	}
	wanted := meanings.Wanted{Kind: memory.KindEpisode, Query: r.vector, Most: store.NearestMatches}
	if r.query.Filter != (store.EpisodeFilter{}) || r.query.AsOf != nil {
		wanted.Among, wanted.Passes = r.passing, r.pass
	}
	nearest, err := meanings.BeginNearest(r.ctx, r.conn, wanted)
	if err != nil {
		return nil, err
	}
	return func() ([]match, error) {
		nearest, some, err := nearest()
		r.approximate = r.approximate || some
		return matchesNear(nearest), err
	}, nil
}

// matchesNear are those that are found by what they mean, by id.
func matchesNear(nearest []meanings.Near) []match {
	matches := make([]match, len(nearest))
	for i, n := range nearest {
		matches[i] = match{hit: hit{id: n.Node}, cosine: n.Meaning, compared: true}
	}
	slices.SortFunc(matches, func(a, b match) int { return cmp.Compare(a.id, b.id) })
	return matches
}

// pass are those of some episodes that were known and pass the filter.
func (r *recall) pass(ids []int64) (passing []int64, err error) {
	list := db.JSONOf(ids)
	w := graph.Filtered(&r.query.Filter, r.query.AsOf)
	graph.AddKnown(&w, r.query.AsOf)
	err = r.conn.Search(r.ctx, `SELECT e.id FROM json_each(:ids) w CROSS JOIN episodes e ON e.id = w.value WHERE `+w.SQL(), func(row *db.Row) error {
		passing = append(passing, row.Integer())
		return nil
	}, append(w.Args, db.Arg("ids", list))...)
	return passing, err
}
