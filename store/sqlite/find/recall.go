package find

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/words"
)

// Bounds are what a recall does at most.
type Bounds struct {
	// Look is how many matches are looked at first, the most promising; up to so many, all are.
	Look int
	// Few is how many episodes that a filter lets pass are all looked at, where an index lists these.
	Few int
	// Scored is how many records a search looks at, those of all kinds that promise most. Among observations in sessions Windows is how many turns
	// it looks around, and Turns of how many of those there it looks at more than the words.
	Scored, Windows, Turns int
	// Entries is how many entries of the word index are read, at about 0.3 µs each.
	Entries int
	// Vectors is Look for a recall by a client's own vector, since how near vectors are is guessed until they are looked at. They are
	// chosen among so many Nearest, as it seems, so many Newest, and the newest that a boost Lifted. By vector all match a little, so that a
	// new one, or one that people liked, may be above thousands that are nearer.
	Vectors, Nearest, Newest, Lifted int
	// Passed is how many episodes are passed over to find those of a filter where nothing matches, and
	// PassedLifted how many of those that a boost lifts.
	Passed, PassedLifted int
	// Begun is of how many matches it is read when they began, at some 2 µs each, where their ids do not tell.
	Begun int
}

// UsualBounds keep a recall within some hundred milliseconds, whatever there is.
var UsualBounds = Bounds{
	Look: 100, Few: 1000, Vectors: 500, Nearest: 8192, Newest: 1024, Lifted: 2048, Begun: 20_000,
	Scored: 1000, Windows: 300, Turns: 300, Entries: mostEntries, Passed: 100_000, PassedLifted: 1000,
}

// mostEntries bounds the entries of the word index of the words that are searched for together.
const mostEntries = 10_000

// recall is the making of one pool. What matches is found by the indexes, without a look at the episodes;
// what ranks high among it is then looked at.
type recall struct {
	ctx     context.Context // it lives as long as the call
	conn    *db.Conn
	query   *store.RecallQuery
	weights ranking.Weights
	bounds  Bounds
	asked   *words.Asked
	dates   []matching.Date
	// vector is what the situation means, if it compares with what is kept and the query has none of its own.
	vector   meaning.Vector
	compares bool
	near     *near     // of a client's own vector, from matchVectors on
	wide     store.Sum // of what is looked at because too few passed the filter
	// rest says that matches were left that were not looked at, and approximate that one of these may belong to the answer.
	rest, approximate bool
}

// match is an episode that has one of the chosen words or a vector.
type match struct {
	hit
	cosine   float64 // a client's own only about
	compared bool    // that there is one
	promise  float64 // about what it may total
	unlike   bool    // it seems not to be near at all
}

// seen is a match that was looked at, and passes the filter. Its key is still to be read.
type seen struct {
	ranking.Candidate
	id    int64
	total float64
	faint bool // it is only answered where too few others are
	// sought says that it has words that are looked for.
	sought bool
}

// Candidates reads the pool of a recall, and counts the episodes that it goes through where few of those near to a client's own vector pass
// the filter. The connection is to see one state of the database.
func Candidates(ctx context.Context, c *db.Conn, query *store.RecallQuery, bounds Bounds, wide store.Sum) (found store.Candidates, err error) {
	weights := query.Weights
	if weights == (ranking.Weights{}) {
		weights = ranking.DefaultWeights
	}
	asked, err := words.Ask(c, []memory.Kind{memory.KindEpisode}, query.Text, bounds.Entries)
	if err != nil {
		return found, err
	}
	r := recall{ctx: ctx, conn: c, query: query, weights: weights, bounds: bounds, asked: asked, dates: matching.Dates(query.Text), wide: wide}
	if len(query.Embedding) == 0 {
		r.vector, r.compares = vectorOf(c, query.Text, asked)
	}
	found.Items, err = r.pool()
	found.Approximate = r.approximate
	return found, err
}

// pool takes what ranks first of what matches by words or by vector; where nothing does, of all.
func (r *recall) pool() ([]ranking.Candidate, error) {
	few, all, err := r.few()
	if err != nil {
		return nil, err
	}
	if all {
		found, err := r.lookAt(asMatches(few))
		if err != nil {
			return nil, err
		}
		return r.named(r.first(r.matching(found)))
	}
	near, err := r.beginMeanings()
	if err != nil {
		return nil, err
	}
	byWords, some, err := hits(r.ctx, r.conn, r.asked, memory.KindEpisode, r.bounds.Entries)
	if err != nil {
		return nil, err
	}
	r.approximate = some // the nearest add to it
	if len(r.query.Embedding) > 0 {
		near = func() ([]match, error) { return r.matchVectors(byWords) }
	}
	byVector, err := near()
	if err != nil {
		return nil, err
	}
	found, err := r.look(union(byWords, byVector))
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(s seen) bool { return s.Match.Words <= 0 && s.Match.Meaning <= 0 })
	if len(found) == 0 {
		if found, err = r.newest(); err != nil {
			return nil, err
		}
	}
	return r.named(r.first(found))
}

// union joins two lists that are sorted by id; of what is in both, the cosine is the second's.
func union(byWords []hit, byVector []match) []match {
	all := make([]match, 0, len(byWords)+len(byVector))
	for _, h := range byWords {
		for len(byVector) > 0 && byVector[0].id < h.id {
			all, byVector = append(all, byVector[0]), byVector[1:]
		}
		m := match{hit: h}
		if len(byVector) > 0 && byVector[0].id == h.id {
			m.cosine, m.compared, byVector = byVector[0].cosine, true, byVector[1:]
		}
		all = append(all, m)
	}
	return append(all, byVector...)
}

// first are all, or where they are more than the pool may hold or not all was looked at, those that will be answered and those that tie
// with the last of them.
func (r *recall) first(found []seen) []seen {
	some := len(found) > r.query.Limit || r.rest && len(found) > r.top()
	if some {
		isFaint := r.query.Faint(candidatesOf(found))
		for i := range found {
			found[i].faint = isFaint(found[i].Candidate)
		}
	}
	found = r.rank(found)
	if !some {
		return found
	}
	last := r.top()
	for last < len(found) && bySeen(found[last], found[r.top()-1]) == 0 {
		last++
	}
	return found[:last]
}

// rank sorts as ranking.Rank does but for the keys.
func (r *recall) rank(found []seen) []seen {
	for i := range found {
		found[i].total = r.weights.Score(found[i].Candidate, r.query.Now).Total
	}
	slices.SortFunc(found, bySeen)
	return found
}

func candidatesOf(found []seen) iter.Seq[ranking.Candidate] {
	return func(yield func(ranking.Candidate) bool) {
		for i := range found {
			if !yield(found[i].Candidate) {
				return
			}
		}
	}
}

func bySeen(a, b seen) int {
	if matchesA, matchesB := a.Semantic() > 0 && !a.faint, b.Semantic() > 0 && !b.faint; matchesA != matchesB {
		if matchesA {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.total, a.total), b.StartedAt.Compare(a.StartedAt))
}

// top is how many of the ranking will be answered.
func (r *recall) top() int { return cmp.Or(r.query.Top, r.query.Limit) }

// named reads the keys.
func (r *recall) named(found []seen) ([]ranking.Candidate, error) {
	byID := make(map[int64]*ranking.Candidate, len(found))
	ids := make([]int64, len(found))
	for i := range found {
		ids[i] = found[i].id
		byID[found[i].id] = &found[i].Candidate
	}
	list := db.JSONOf(ids)
	items := make([]ranking.Candidate, 0, len(found))
	const read = `SELECT n.id, n.key FROM json_each(:ids) w CROSS JOIN nodes n ON n.id = w.value`
	err := r.conn.Query(read, func(row *db.Row) error {
		item := byID[row.Integer()]
		item.Key = row.Text()
		items = append(items, *item)
		return nil
	}, db.Arg("ids", list))
	return items, err
}
