package find

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"time"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/meanings"
)

// The episodes that are gone through: all, or those.
const (
	everyone = `episodes e WHERE 1`
	lifted   = `episodes e INDEXED BY episodes_lifted WHERE ` + graph.IsLifted
)

// onlyLifted says whether the filter lets no others pass.
func (r *recall) onlyLifted() bool {
	f := &r.query.Filter
	indexed := f.Agent != nil || f.Session != nil || f.TaskType != nil
	return !indexed && (f.CanvasType != nil || f.CanvasAction != nil || r.query.AsOf == nil && f.MinFeedback != nil && *f.MinFeedback > 0)
}

// newest reads, where nothing matches, the newest that pass the filter, and of those that a boost lifts.
func (r *recall) newest() ([]seen, error) {
	source, boosts := everyone, r.weights.CanvasBoost+r.weights.PositiveBoost
	if r.onlyLifted() {
		source = lifted
	}
	found, cut, err := r.newestOf(source, ``, r.bounds.Passed)
	if err != nil {
		return nil, err
	}
	if len(found) > r.query.Limit {
		boosted, boostedCut, err := r.newestLifted()
		if err != nil {
			return nil, err
		}
		bound := max(r.mostOf(found, 0), r.mostOf(boosted, boosts))
		if source == lifted {
			bound = r.mostOf(found, boosts)
		}
		found = eachOnce(append(found, boosted...))
		cut = boostedCut || r.rank(found)[min(r.top(), len(found))-1].total <= bound ||
			r.query.AsOf != nil && boosts > 0 // what was liked then may not be now
	}
	r.approximate = r.approximate || cut
	return found, nil
}

// newestLifted reads those that a boost lifts: of an agent, a session or a task type by the index of these.
func (r *recall) newestLifted() ([]seen, bool, error) {
	if f := &r.query.Filter; f.Agent != nil || f.Session != nil || f.TaskType != nil {
		return r.newestOf(everyone, ` AND `+graph.IsLifted, r.bounds.PassedLifted)
	}
	return r.newestOf(lifted, ``, r.bounds.PassedLifted)
}

// mostOf is the most that an older one can total, with a boost at most.
func (r *recall) mostOf(found []seen, boost float64) float64 {
	if len(found) <= r.query.Limit {
		return math.Inf(-1)
	}
	return r.weights.Score(ranking.Candidate{StartedAt: found[len(found)-1].StartedAt}, r.query.Now).Total + boost
}

func eachOnce(found []seen) []seen {
	slices.SortFunc(found, func(a, b seen) int { return cmp.Compare(a.id, b.id) })
	return slices.CompactFunc(found, func(a, b seen) bool { return a.id == b.id })
}

// within is the part of the filter by which an index goes back in time: one condition, so that nothing is passed
// over uncounted.
func (r *recall) within(source string) db.Conditions {
	f := &r.query.Filter
	part := store.EpisodeFilter{Since: f.Since, Until: f.Until}
	switch {
	case source == lifted:
	case f.Session != nil:
		part.Session = f.Session
	case f.TaskType != nil:
		part.TaskType = f.TaskType
	case f.Agent != nil:
		part.Agent = f.Agent
	}
	w := graph.Filtered(&part, nil)
	if r.query.AsOf != nil {
		w.Add(`e.started_at <= :as_of`, db.Arg("as_of", r.query.AsOf))
	}
	return w
}

// newestOf goes back in time and keeps what passes the filter, one more than the pool may hold, through no more than
// so many; cut says that it found too few in these.
func (r *recall) newestOf(source, also string, passed int) (found []seen, cut bool, err error) {
	within, w := r.within(source), graph.Filtered(&r.query.Filter, r.query.AsOf)
	graph.AddKnown(&w, r.query.AsOf)
	late := `SELECT e.id FROM ` + source + ` AND ` + within.SQL() + ` ORDER BY e.started_at DESC LIMIT :passed`
	cosine, vectors, args := r.compared()
	find := `SELECT e.id, e.started_at, ` + r.aggregates() + `, ` + cosine + ` FROM (` + late + `) late
		CROSS JOIN episodes e ON e.id = late.id` + vectors + ` WHERE ` + w.SQL() + also + ` LIMIT :limit`
	err = r.conn.Search(r.ctx, find, func(row *db.Row) error {
		s := seenOf(row)
		s.readCosine(row)
		found = append(found, s)
		return nil
	}, append(append(w.Args, args...), db.Arg("passed", passed), db.Arg("limit", r.query.Limit+1))...)
	if err == nil && len(found) <= r.query.Limit {
		cut, err = r.conn.One(late+` OFFSET :passed`, func(*db.Row) {}, append(within.Args, db.Arg("passed", passed))...)
	}
	return found, cut, err
}

// promise says what matches may total, of which so many will be looked at: by the words that they have, how near they seem, when they began and what
// lifts them. When those began that nothing lifts a clock tells.
func (r *recall) promise(matches []match, most int) error {
	clock, err := r.clock()
	if err != nil {
		return err
	}
	if clock.astray(r.guesses) {
		return r.promiseRead(matches, most)
	}
	lifts, err := liftsOf(r.ctx, r.conn)
	if err != nil {
		return err
	}
	lifts.mutex.RLock()
	defer lifts.mutex.RUnlock()
	r.expect(matches, most, r.alsoNewest(lifts.of), clock.at)
	return nil
}

// promiseRead is promise where ids do not tell when episodes began, as after imports of one agent's history after the other: it reads
// that, and what lifts them, of as many matches as may be, those that promise most whenever they began. The others come last.
func (r *recall) promiseRead(matches []match, most int) error {
	now := func(int64) time.Time { return r.query.Now }
	part := matches
	if len(matches) > r.bounds.Begun {
		r.weigh(matches, nobody, now)
		var rest []match
		part, rest = cutAt(matches, r.bounds.Begun)
		for i := range rest {
			rest[i].promise -= hopeless
		}
	}
	read, err := r.each(part)
	if err == nil {
		r.expect(part, most, func(id int64) (known ranking.Candidate, is bool) { known, is = read[id]; return known, is }, now)
	}
	return err
}

func nobody(int64) (ranking.Candidate, bool) { return ranking.Candidate{}, false }

// guessedOf is of how many times as many as will be looked at it is guessed how near they are, and guessedOfMany where more are asked for than
// a person reads: what lifts episodes decides less there.
const guessedOf, guessedOfMany = 5, 20

// expect weighs matches, and once more those that promise most when it is guessed how near their meanings are.
func (r *recall) expect(matches []match, most int, known func(id int64) (ranking.Candidate, bool), began func(id int64) time.Time) {
	if r.weigh(matches, known, began); r.compares {
		of := guessedOf
		if most > r.bounds.Look {
			of = guessedOfMany
		}
		part, _ := cutAt(matches, of*most)
		guess(r.conn, memory.KindEpisode, &r.vector, part)
		r.weigh(part, known, began)
	}
}

// guess says of matches of a kind about how near their meanings are to a query's, where they are not among the nearest.
func guess(c *db.Conn, kind memory.Kind, query *meaning.Vector, matches []match) {
	slices.SortFunc(matches, func(a, b match) int { return cmp.Compare(a.id, b.id) })
	asked := query.Code()
	for i, near := range meanings.Guesses(c, kind, &asked, matchIDs(matches)) {
		if !matches[i].compared {
			matches[i].cosine = near
		}
	}
}

// weigh says about what matches will total, by what is known of them, and of the others by when they may have begun.
func (r *recall) weigh(matches []match, known func(id int64) (ranking.Candidate, bool), began func(id int64) time.Time) {
	for i := range matches {
		m := &matches[i]
		guess, is := known(m.id)
		if !is {
			guess.StartedAt = began(m.id)
		} else if r.query.AsOf != nil { // what people disliked since says nothing of it then; what they liked may have been before
			guess.FeedbackSum = max(guess.FeedbackSum, 0)
		}
		share := 0.0
		if m.has != 0 {
			share = r.asked.Promises([]matching.Has{m.has})[0]
		}
		r.say(&guess.Match, share, guess.StartedAt)
		guess.Match.Meaning, guess.Match.Compared = m.cosine, m.compared || r.compares
		m.promise = r.weights.Score(guess, r.query.Now).Total
		if m.unlike = r.near != nil && guess.Semantic() == 0; m.unlike {
			m.promise -= unlike
		}
		if r.misses(guess.StartedAt) {
			m.promise -= hopeless
		}
	}
}

// guesses is what a start adds to a promise.
func (r *recall) guesses(start time.Time) float64 {
	total := r.weights.Score(ranking.Candidate{StartedAt: start}, r.query.Now).Total
	if r.misses(start) {
		total -= hopeless
	}
	return total
}

// each reads of matches when they began and what lifts them now.
func (r *recall) each(matches []match) (map[int64]ranking.Candidate, error) {
	list := db.JSONOf(matchIDs(matches))
	found := make(map[int64]ranking.Candidate, len(matches))
	err := r.conn.Search(r.ctx, `SELECT e.id, e.started_at, `+graph.AggregatesNow+` FROM json_each(:ids) w CROSS JOIN episodes e ON e.id = w.value`,
		func(row *db.Row) error {
			s := seenOf(row)
			found[s.id] = s.Candidate
			return nil
		}, db.Arg("ids", list))
	return found, err
}

func promisesMore(a, b *match) bool {
	return a.promise > b.promise || a.promise == b.promise && a.id > b.id
}

// unlike is what a match that seems not to be near at all comes after those by that do, more than any total, for it is not answered beside these.
const unlike = 1e6

// hopeless is what a match that the filter seems to leave out comes after the others by.
const hopeless = 1e9

// misses says whether an episode that began about then is left out by the filter.
func (r *recall) misses(start time.Time) bool {
	f := &r.query.Filter
	return f.Since != nil && start.Before(*f.Since) || f.Until != nil && !start.Before(*f.Until) ||
		r.query.AsOf != nil && start.After(*r.query.AsOf)
}

// clock tells about when an episode began by its id, for most are recorded about in the order in which they
// began: it goes evenly between some that were looked at.
type clock struct{ ids, times []int64 }

// looks is how many episodes a clock looks at.
const looks = 64

// Of the looks of a clock, so many may be told wrong by those before and after them, and by so much of a total, until it is not gone by.
const (
	mostAstray = looks / 16
	astrayBy   = 0.05
)

// astray says whether the clock goes wrong, because episodes were not recorded in the order in which they began.
func (c clock) astray(adds func(start time.Time) float64) bool {
	wrong := 0
	for i := 1; i+1 < len(c.ids); i++ {
		beside := clock{ids: []int64{c.ids[i-1], c.ids[i+1]}, times: []int64{c.times[i-1], c.times[i+1]}}
		if math.Abs(adds(beside.at(c.ids[i]))-adds(time.UnixMilli(c.times[i]))) > astrayBy {
			wrong++
		}
	}
	return wrong > mostAstray
}

func (r *recall) clock() (clock, error) {
	var first, last int64
	const ends = `SELECT (SELECT min(id) FROM episodes), (SELECT max(id) FROM episodes)`
	if _, err := r.conn.One(ends, func(row *db.Row) { first, last = row.Integer(), row.Integer() }); err != nil {
		return clock{}, err
	}
	ids := make([]int64, looks)
	for i := range ids {
		ids[i] = first + (last-first)*int64(i)/(looks-1)
	}
	list := db.JSONOf(ids)
	const read = `SELECT e.id, e.started_at FROM json_each(:ids) w
		CROSS JOIN episodes e ON e.id = (SELECT id FROM episodes WHERE id >= w.value ORDER BY id LIMIT 1)`
	var c clock
	err := r.conn.Query(read, func(row *db.Row) error {
		if id, at := row.Integer(), row.Integer(); len(c.ids) == 0 || id > c.ids[len(c.ids)-1] {
			c.ids, c.times = append(c.ids, id), append(c.times, at)
		}
		return nil
	}, db.Arg("ids", list))
	return c, err
}

func (c clock) at(id int64) time.Time {
	next := sort.Search(len(c.ids), func(i int) bool { return c.ids[i] >= id })
	switch {
	case len(c.ids) == 0:
		return time.Time{}
	case next == len(c.ids):
		return time.UnixMilli(c.times[next-1])
	case next == 0 || c.ids[next] == id:
		return time.UnixMilli(c.times[next])
	}
	part := float64(id-c.ids[next-1]) / float64(c.ids[next]-c.ids[next-1])
	return time.UnixMilli(c.times[next-1] + int64(part*float64(c.times[next]-c.times[next-1])))
}
