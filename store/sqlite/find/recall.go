package find

import (
	"cmp"
	"context"
	"slices"

	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/sqlite/db"
)

// Bounds are what a recall does at most.
type Bounds struct {
	// Look is how many matches are looked at first, the most promising; up to so many, all are.
	Look int
	// Measured is how many of the matches that have the most of the words are looked at for the best match, by
	// which all are measured.
	Measured int
	// Entries is how many entries of the word index are read, at about 0.3 µs each.
	Entries int
	// Vectors is how many vectors are compared, the latest recorded, at about 2 µs each.
	Vectors int
	// Passed is how many episodes are passed over to find those of a filter where nothing matches, and
	// PassedLifted how many of those that a boost lifts.
	Passed, PassedLifted int
}

// UsualBounds keep a recall within some hundred milliseconds, whatever there is.
var UsualBounds = Bounds{Look: 500, Measured: 128, Entries: mostEntries, Vectors: 200_000, Passed: 100_000, PassedLifted: 1000}

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
	terms   []lexical.Term
	words   wordQuery
	raw     map[int64]float64 // the scores of the word index, as far as they were asked for
	// cutVectors says that not all vectors were compared.
	cutVectors bool
	// approximate says that not all that matches was looked at.
	approximate bool
}

// match is an episode that has one of the chosen words or a vector.
type match struct {
	id      int64
	words   int
	weight  float64 // the rarities of the words that it has, summed up
	cosine  float64
	promise float64 // about what it may total
}

// seen is a match that was looked at, and passes the filter. Its key is still to be read.
type seen struct {
	ranking.Candidate
	id    int64
	total float64
}

// Candidates reads the pool of a recall. The connection is to see one state of the database.
func Candidates(ctx context.Context, c *db.Conn, query *store.RecallQuery, bounds Bounds) (found store.Candidates, err error) {
	weights := query.Weights
	if weights == (ranking.Weights{}) {
		weights = ranking.DefaultWeights
	}
	r := recall{ctx: ctx, conn: c, query: query, weights: weights, bounds: bounds, terms: lexical.Terms(query.Text), raw: map[int64]float64{}}
	found.Items, err = r.pool()
	found.Approximate = r.approximate
	return found, err
}

// pool takes what ranks first of what matches by words or by vector; where nothing does, of all.
func (r *recall) pool() ([]ranking.Candidate, error) {
	byWords, err := r.matchWords()
	if err != nil {
		return nil, err
	}
	byVector, err := r.matchVectors()
	if err != nil {
		return nil, err
	}
	found, err := r.look(byWords, union(byWords, byVector))
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(s seen) bool { return s.Lexical <= 0 && s.Cosine <= 0 })
	if len(found) == 0 {
		if found, err = r.newest(byVector); err != nil {
			return nil, err
		}
	}
	return r.named(r.first(found))
}

// union joins two lists that are sorted by id; of what is in both, the cosine is the second's.
func union(byWords, byVector []match) []match {
	if len(byVector) == 0 {
		return slices.Clone(byWords)
	}
	all := make([]match, 0, len(byWords)+len(byVector))
	for len(byWords) > 0 && len(byVector) > 0 {
		switch w, v := byWords[0], byVector[0]; {
		case w.id < v.id:
			all, byWords = append(all, w), byWords[1:]
		case v.id < w.id:
			all, byVector = append(all, v), byVector[1:]
		default:
			w.cosine = v.cosine
			all, byWords, byVector = append(all, w), byWords[1:], byVector[1:]
		}
	}
	return append(append(all, byWords...), byVector...)
}

// first are all, or where they are more than the pool may hold, those that will be answered and those that tie with
// the last of them.
func (r *recall) first(found []seen) []seen {
	found = r.rank(found)
	if len(found) <= r.query.Limit {
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

func bySeen(a, b seen) int {
	if matchesA, matchesB := a.Semantic() > 0, b.Semantic() > 0; matchesA != matchesB {
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
	list, err := db.JSONOf(ids)
	if err != nil {
		return nil, err
	}
	items := make([]ranking.Candidate, 0, len(found))
	const read = `SELECT n.id, n.key FROM json_each(:ids) w CROSS JOIN nodes n ON n.id = w.value`
	err = r.conn.Query(read, func(row *db.Row) error {
		item := byID[row.Integer()]
		item.Key = row.Text()
		items = append(items, *item)
		return nil
	}, db.Arg("ids", list))
	return items, err
}
