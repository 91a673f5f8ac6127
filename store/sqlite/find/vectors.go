package find

import (
	"cmp"
	"database/sql/driver"
	"maps"
	"math"
	"slices"
	"time"

	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/vectors"
)

// cosineOf is null for an episode without a vector, and for a vector that cannot be compared; the examination finds those. Together with
// joinVectors it is the whole of what is read of vectors.
const (
	cosineOf    = `CASE WHEN length(v.vector) = length(:embedding) THEN 1 - vec_distance_cosine(v.vector, :embedding) END`
	joinVectors = ` LEFT JOIN embeddings v ON v.episode = e.id`
)

// compared is what a statement has to read of how near an episode is to a client's own vector, if there is one: a column, and what it
// is read from and with.
func (r *recall) compared() (column, join string, args []driver.NamedValue) {
	if len(r.query.Embedding) == 0 {
		return `NULL`, ``, nil
	}
	return cosineOf, joinVectors, []driver.NamedValue{db.Arg("embedding", graph.EncodeVector(r.query.Embedding))}
}

// readCosine takes in the column.
func (s *seen) readCosine(row *db.Row) {
	if computed := row.OptionalFloat(); computed != nil {
		s.Match.Meaning, s.Match.Compared = max(-1, min(1, *computed)), true // the rounding off
	}
}

// near is what a recall knows of the vectors of all episodes, where it has one to compare them with.
type near struct {
	guesses *vectors.Guesses
	// passing are the episodes that one condition of the filter lets pass, by id, where an index lists them; listed is false where none does.
	passing []int64
	listed  bool
	// head is how many of the nearest that may pass are among the matches, 0 where all are.
	head int
	// began is when those began that came in because they are new, or because a boost lifts them.
	began map[int64]time.Time
}

// may says whether one condition of the filter lets an episode pass.
func (n *near) may(episode int64) bool {
	if !n.listed {
		return true
	}
	_, passes := slices.BinarySearch(n.passing, episode)
	return passes
}

// widerBy is how many times as many of the nearest are gone through where too few of them pass the filter.
const widerBy = 8

// matchVectors are the episodes whose vectors may bring them into the pool, by id: of many the heads, and those that match by words. About
// how near they are is guessed; it is read of those that are looked at.
func (r *recall) matchVectors(byWords []hit) ([]match, error) {
	if err := graph.CheckVectorLength(r.conn, r.query.Embedding); err != nil {
		return nil, err
	}
	passing, listed, err := r.passing(mostListed)
	if err != nil {
		return nil, err
	}
	r.near = &near{passing: passing, listed: listed}
	if listed && len(passing) <= r.bounds.Vectors { // all are looked at
		return asMatches(passing), nil
	}
	guesses, err := vectors.Compare(r.ctx, r.conn, r.query.Embedding)
	if err != nil {
		return nil, err
	}
	r.near.guesses, r.approximate = guesses, r.approximate || guesses.Left
	if listed && len(passing) <= r.bounds.Nearest {
		return matchesOf(guesses.Of(passing)), nil
	}
	found, err := r.heads(byWords)
	return matchesOf(found), err
}

// heads are the nearest, as it seems, and what comes in beside them, where those are not all.
func (r *recall) heads(byWords []hit) ([]vectors.Guess, error) {
	found, all := r.near.guesses.Nearest(r.bounds.Nearest, r.near.may)
	if all {
		return found, nil
	}
	if err := r.readBeside(); err != nil {
		return nil, err
	}
	r.near.head = r.bounds.Nearest
	others := slices.Collect(maps.Keys(r.near.began))
	for _, h := range byWords {
		others = append(others, h.id)
	}
	found = append(found, r.near.guesses.Of(others)...)
	slices.SortFunc(found, func(a, b vectors.Guess) int { return cmp.Compare(a.Episode, b.Episode) })
	return slices.Compact(found), nil
}

// readBeside reads what comes in beside the nearest: the newest, and the newest that a boost lifts, of those that one condition of the filter lets
// pass.
func (r *recall) readBeside() error {
	r.near.began = map[int64]time.Time{}
	for source, most := range map[string]int{everyone: r.bounds.Newest, lifted: r.bounds.Lifted} {
		within := r.within(source)
		read := `SELECT e.id, e.started_at FROM ` + source + ` AND ` + within.SQL() + ` ORDER BY e.started_at DESC LIMIT :most`
		err := r.conn.Search(r.ctx, read, func(row *db.Row) error {
			r.near.began[row.Integer()] = row.AnyTime()
			return nil
		}, append(within.Args, db.Arg("most", most))...)
		if err != nil {
			return err
		}
	}
	return nil
}

// alsoNewest adds to what is known when those began that came in beside the nearest: beside the latest that passes, a clock would not tell on which
// side of it they are.
func (r *recall) alsoNewest(known func(id int64) (ranking.Candidate, bool)) func(id int64) (ranking.Candidate, bool) {
	if r.near == nil {
		return known
	}
	return func(id int64) (ranking.Candidate, bool) {
		if c, is := known(id); is {
			return c, true
		}
		at, is := r.near.began[id]
		return ranking.Candidate{StartedAt: at}, is
	}
}

func matchesOf(guesses []vectors.Guess) []match {
	matches := make([]match, len(guesses))
	for i, g := range guesses {
		matches[i] = match{hit: hit{id: g.Episode}, cosine: g.Cosine, compared: true}
	}
	return matches
}

// lookOn looks at what the guesses may have kept from the looks: of the rest, what would be answered if it were nearer than was guessed by as
// much as guesses are off; and where too few passed the filter, at ever more that are further off.
func (r *recall) lookOn(found []seen, looked, rest []match, enough int) ([]seen, error) {
	if r.query.Filter == (store.EpisodeFilter{}) && r.query.AsOf == nil && 2*len(found) < len(looked) { // the others were deleted
		vectors.Forget(r.conn)
	}
	if likely := r.likely(found, looked, rest); len(likely) > 0 {
		more, err := r.lookAt(likely)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	for len(found) < enough {
		wider, err := r.wider(looked)
		if err != nil || len(wider) == 0 {
			return found, err
		}
		more, err := r.lookAt(wider)
		if err != nil {
			return nil, err
		}
		found, looked = append(found, more...), append(looked, wider...)
	}
	return found, nil
}

// A vector may well be nearer than was guessed by off times the standard deviation of the guesses that were checked; for that at most mostLikely
// more are looked at.
const off, mostLikely = 2, 4096

// likely are those of the rest that may well total more than the last that will be answered.
func (r *recall) likely(found []seen, looked, rest []match) []match {
	if len(found) < r.top() || len(rest) == 0 {
		return nil
	}
	guessed := make(map[int64]float64, len(looked))
	for _, m := range looked {
		guessed[m.id] = m.cosine
	}
	square, compared := 0.0, 0.0
	for _, s := range found {
		if s.Match.Compared {
			wrong := s.Match.Meaning - guessed[s.id]
			square, compared = square+wrong*wrong, compared+1
		}
	}
	nearer := off * math.Sqrt(square/max(compared, 1))
	last := r.rank(found)[r.top()-1].total - nearer*r.weights.Semantic
	likely := 0
	for i := range rest {
		promise := rest[i].promise
		if rest[i].unlike && rest[i].cosine+nearer > 0 {
			promise += unlike
		}
		if promise > last {
			rest[i], rest[likely] = rest[likely], rest[i]
			likely++
		}
	}
	part, _ := cutAt(rest[:likely], mostLikely)
	return part
}

// wider are the next nearest after so many matches, which were looked at; none where those were all, or more were gone through than may be.
func (r *recall) wider(looked []match) ([]match, error) {
	if r.near.head == 0 || r.near.head >= r.bounds.Passed {
		return nil, nil
	}
	before := make(map[int64]bool, len(looked))
	for _, m := range looked {
		before[m.id] = true
	}
	r.near.head = min(widerBy*r.near.head, r.bounds.Passed)
	found, all := r.near.guesses.Nearest(r.near.head, r.near.may)
	if all {
		r.near.head = 0
	}
	found = slices.DeleteFunc(found, func(g vectors.Guess) bool { return before[g.Episode] })
	return matchesOf(found), r.wide.Add(len(found))
}
