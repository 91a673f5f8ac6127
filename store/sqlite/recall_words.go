package sqlite

import (
	"cmp"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store/lexical"
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
	frequency, err := frequencies(r.conn, memory.KindEpisode, considered)
	if err != nil {
		return nil, err
	}
	chosen := withinBudget(lexical.Distinctive(considered, frequency), frequency, r.bounds.entries)
	if len(chosen) == 0 {
		return nil, nil
	}
	all := 0
	const size = `SELECT records FROM stems WHERE kind = 'episode' AND stem = ''`
	if _, err := r.conn.one(size, func(row *row) { all = row.int() }); err != nil {
		return nil, err
	}
	r.words.match = anyOf(chosen)
	entries := 0
	for _, term := range chosen {
		entries += frequency[term.Stem]
	}
	if entries <= 3*r.bounds.look { // to score all takes no longer than to choose
		return r.scored()
	}
	var matches []match
	for _, term := range chosen {
		ids, err := r.having(term, frequency[term.Stem])
		if err != nil {
			return nil, err
		}
		matches = weighed(matches, ids, indexRarity(frequency[term.Stem], all))
	}
	return matches, nil
}

// scored are all matches with their scores, by id.
func (r *recall) scored() (matches []match, err error) {
	err = r.conn.search(r.ctx, scoreAll, func(row *row) error {
		m := match{id: row.integer(), weight: row.float()}
		r.raw[m.id] = m.weight
		matches = append(matches, m)
		return nil
	}, arg("words", r.words.match), arg("least", r.words.least))
	return matches, err
}

// having are the episodes that have a word, by id.
func (r *recall) having(term lexical.Term, frequency int) ([]int64, error) {
	ids := make([]int64, 0, min(frequency, r.bounds.entries))
	err := r.conn.search(r.ctx, `SELECT rowid FROM words WHERE words MATCH :words ORDER BY rowid DESC LIMIT :most`, func(row *row) error {
		ids = append(ids, row.integer())
		return nil
	}, arg("words", anyOf([]lexical.Term{term})), arg("most", r.bounds.entries))
	slices.Reverse(ids)
	if frequency > r.bounds.entries && len(ids) > 0 { // then it is the only word
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
	_, err := r.conn.one(read, func(row *row) {
		s.share = lexical.Share(r.terms, row.text(), row.text(), row.text(), row.text())
	}, arg("id", best))
	return s, err
}

// weightiest are the matches that have the most of the words, the later recorded of equals.
func (r *recall) weightiest(byWords []match) []match {
	if len(byWords) <= r.bounds.look {
		return byWords
	}
	some := slices.Clone(byWords)
	bringForward(some, r.bounds.measured, func(a, b *match) bool {
		return a.weight > b.weight || a.weight == b.weight && a.id > b.id
	})
	return some[:r.bounds.measured]
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
	list, err := jsonOf(missing)
	if err != nil {
		return err
	}
	return r.conn.search(r.ctx, scoreSome, func(row *row) error {
		r.raw[row.integer()] = row.float()
		return nil
	}, arg("words", r.words.match), arg("least", r.words.least), arg("ids", list))
}

// withinBudget keeps the first words whose entries are not too many together. A single word may have more.
func withinBudget(telling []lexical.Term, frequency map[string]int, most int) []lexical.Term {
	entries := 0
	for i, term := range telling {
		entries += frequency[term.Stem]
		if i > 0 && entries > most {
			return telling[:i]
		}
	}
	return telling
}

// frequencies says in how many records of a kind the stems occur.
func frequencies(c *conn, kind memory.Kind, terms []lexical.Term) (map[string]int, error) {
	frequency := make(map[string]int, len(terms))
	if len(terms) == 0 {
		return frequency, nil
	}
	stems := make([]string, len(terms))
	for i, term := range terms {
		stems[i] = term.Stem
	}
	list, err := jsonOf(stems)
	if err != nil {
		return nil, err
	}
	const read = `SELECT stem, records FROM json_each(:stems) w CROSS JOIN stems ON kind = :kind AND stem = w.value`
	err = c.query(read, func(r *row) error {
		frequency[r.text()] = r.int()
		return nil
	}, arg("kind", string(kind)), arg("stems", list))
	return frequency, err
}

// anyOf writes words in the index's query syntax. A stem has no quotation mark (see lexical.Stems).
func anyOf(terms []lexical.Term) string {
	var query strings.Builder
	for i, term := range terms {
		if i > 0 {
			query.WriteString(" OR ")
		}
		query.WriteString(`"` + term.Stem + `"`)
	}
	return query.String()
}
