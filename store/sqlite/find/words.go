package find

import (
	"cmp"
	"slices"

	"mneme/memory"
	"mneme/store/lexical"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/words"
)

// wordQuery is what a recall asks of the word index.
type wordQuery struct {
	match string // in the index's syntax
	least int64  // the least id that is asked for
}

// matchWords finds the episodes that have one of the chosen words, by id. Of a word that too many have it
// finds the latest recorded.
func (r *recall) matchWords() ([]match, error) {
	considered := lexical.Considered(r.terms)
	frequency, err := words.Frequencies(r.conn, memory.KindEpisode, considered)
	if err != nil {
		return nil, err
	}
	chosen := words.WithinBudget(lexical.Distinctive(considered, frequency), frequency, r.bounds.Entries)
	if len(chosen) == 0 {
		return nil, nil
	}
	all := 0
	const size = `SELECT records FROM stems WHERE kind = 'episode' AND stem = ''`
	if _, err := r.conn.One(size, func(row *db.Row) { all = row.Int() }); err != nil {
		return nil, err
	}
	r.words.match = words.AnyOf(chosen)
	entries := 0
	for _, term := range chosen {
		entries += frequency[term.Stem]
	}
	if entries <= 3*r.bounds.Look { // to score all takes no longer than to choose
		return r.scored()
	}
	var matches []match
	for _, term := range chosen {
		ids, err := r.having(term, frequency[term.Stem])
		if err != nil {
			return nil, err
		}
		matches = weighed(matches, ids, words.Rarity(frequency[term.Stem], all))
	}
	return matches, nil
}

// scored are all matches with their scores, by id.
func (r *recall) scored() (matches []match, err error) {
	err = r.conn.Search(r.ctx, scoreAll, func(row *db.Row) error {
		m := match{id: row.Integer(), weight: row.Float()}
		r.raw[m.id] = m.weight
		matches = append(matches, m)
		return nil
	}, db.Arg("words", r.words.match), db.Arg("least", r.words.least))
	return matches, err
}

// having are the episodes that have a word, by id.
func (r *recall) having(term lexical.Term, frequency int) ([]int64, error) {
	ids := make([]int64, 0, min(frequency, r.bounds.Entries))
	err := r.conn.Search(r.ctx, `SELECT rowid FROM words WHERE words MATCH :words ORDER BY rowid DESC LIMIT :most`, func(row *db.Row) error {
		ids = append(ids, row.Integer())
		return nil
	}, db.Arg("words", words.AnyOf([]lexical.Term{term})), db.Arg("most", r.bounds.Entries))
	slices.Reverse(ids)
	if frequency > r.bounds.Entries && len(ids) > 0 { // then it is the only word
		r.approximate = true
		r.words.least = ids[0]
	}
	return ids, err
}

// weighed adds the weight of a word to the matches that have it. Both are sorted by id.
func weighed(matches []match, ids []int64, weight float64) []match {
	all := make([]match, 0, len(matches)+len(ids))
	for _, id := range ids {
		for len(matches) > 0 && matches[0].id < id {
			all, matches = append(all, matches[0]), matches[1:]
		}
		m := match{id: id}
		if len(matches) > 0 && matches[0].id == id {
			m, matches = matches[0], matches[1:]
		}
		m.words++
		m.weight += weight
		all = append(all, m)
	}
	return append(all, matches...)
}

// scale turns the raw scores of a recall into those that a ranking takes.
type scale struct{ best, share float64 }

// measure finds the best match of the whole tenant among the weightiest, of what was known then.
func (r *recall) measure(weightiest []match) (scale, error) {
	ids := matchIDs(weightiest)
	if r.query.AsOf != nil {
		known, err := r.known(ids)
		if err != nil {
			return scale{}, err
		}
		if len(known) > 0 {
			ids = known
		}
	}
	if len(ids) == 0 {
		return scale{}, nil
	}
	best := slices.MaxFunc(ids, func(a, b int64) int { return cmp.Or(cmp.Compare(r.raw[a], r.raw[b]), cmp.Compare(a, b)) })
	s := scale{best: r.raw[best]}
	const read = `SELECT title, observation, coalesce(result, ''), insight FROM contents WHERE episode = :id`
	_, err := r.conn.One(read, func(row *db.Row) {
		s.share = lexical.Share(r.terms, row.Text(), row.Text(), row.Text(), row.Text())
	}, db.Arg("id", best))
	return s, err
}

// weightiest are the matches that have the most of the words, the later recorded of equals.
func (r *recall) weightiest(byWords []match) []match {
	if len(byWords) <= r.bounds.Look {
		return byWords
	}
	some := slices.Clone(byWords)
	bringForward(some, r.bounds.Measured, func(a, b *match) bool {
		return a.weight > b.weight || a.weight == b.weight && a.id > b.id
	})
	return some[:r.bounds.Measured]
}

// The weights are those of title, observation, result and insight. The sign keeps the index from being asked
// for each id anew, which takes longer than to pass over the others.
const (
	scoreAll  = `SELECT rowid, -bm25(words, 2.0, 4.0, 1.0, 1.0) FROM words WHERE words MATCH :words AND rowid >= :least`
	scoreSome = scoreAll + ` AND +rowid IN (SELECT value FROM json_each(:ids))`
)

// score adds the raw scores of those that are not known yet.
func (r *recall) score(ids []int64) error {
	missing := slices.DeleteFunc(slices.Clone(ids), func(id int64) bool {
		_, known := r.raw[id]
		return known
	})
	if len(missing) == 0 || r.words.match == "" {
		return nil
	}
	list, err := db.JSONOf(missing)
	if err != nil {
		return err
	}
	return r.conn.Search(r.ctx, scoreSome, func(row *db.Row) error {
		r.raw[row.Integer()] = row.Float()
		return nil
	}, db.Arg("words", r.words.match), db.Arg("least", r.words.least), db.Arg("ids", list))
}
