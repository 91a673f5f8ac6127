package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"maps"
	"math"
	"slices"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/lexical"
)

// Search ranks records of several kinds together. Each kind is asked apart, so that no kind costs the
// others anything, and a word is as rare as it is among all kinds that are asked.
func (t *Tenant) Search(ctx context.Context, query store.SearchQuery) ([]store.SearchMatch, error) {
	found := []store.SearchMatch{}
	s := search{entries: t.backend.bounds.entries, kinds: searchable(query.Kinds), terms: lexical.Terms(query.Text), scores: map[int64]float64{}, kindOf: map[int64]memory.Kind{}}
	err := t.snapshot(ctx, func(c *conn) error {
		if err := s.match(ctx, c); err != nil || len(s.scores) == 0 {
			return err
		}
		if err := s.normalise(c); err != nil {
			return err
		}
		if err := s.filter(ctx, c, &query); err != nil {
			return err
		}
		top, err := s.top(ctx, c, query.Limit)
		found = append(found, top...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// searchable are the distinct kinds that have texts, in one order, so that the sums of a search do not
// depend on the order in which kinds are asked.
func searchable(kinds []memory.Kind) []memory.Kind {
	var distinct []memory.Kind
	for _, kind := range memory.Kinds {
		if _, known := texts[kind]; known && slices.Contains(kinds, kind) {
			distinct = append(distinct, kind)
		}
	}
	return distinct
}

// search is what matches the words of a query.
type search struct {
	// entries bounds those of the word index that are read.
	entries int
	kinds   []memory.Kind
	terms   []lexical.Term
	scores  map[int64]float64 // by node
	kindOf  map[int64]memory.Kind
}

// normalise makes the raw scores those of ranking.LexicalScore.
func (s *search) normalise(c *conn) error {
	var best int64
	for id, score := range s.scores {
		if score > s.scores[best] || score == s.scores[best] && id < best {
			best = id
		}
	}
	said, err := textsOf(c, s.kindOf[best], best)
	if err != nil {
		return err
	}
	highest, share := s.scores[best], lexical.Share(s.terms, said...)
	for id, score := range s.scores {
		s.scores[id] = ranking.LexicalScore(score, highest, share)
	}
	return nil
}

// filter leaves out what a filter of one kind does not fit.
func (s *search) filter(ctx context.Context, c *conn, query *store.SearchQuery) error {
	if query.Memoir != nil {
		const fits = `SELECT p.id FROM json_each(:ids) w CROSS JOIN concepts p ON p.id = w.value WHERE ` + ofMemoir
		if err := s.keep(ctx, c, fits, arg("memoir", query.Memoir)); err != nil {
			return err
		}
	}
	if len(query.Labels) > 0 {
		labels, err := jsonOf(query.Labels)
		if err != nil {
			return err
		}
		const fits = `SELECT p.id FROM json_each(:ids) w CROSS JOIN concepts p ON p.id = w.value
			WHERE json_valid(p.labels) AND NOT EXISTS (SELECT value FROM json_each(:labels) EXCEPT SELECT value FROM json_each(p.labels))`
		if err := s.keep(ctx, c, fits, arg("labels", labels)); err != nil {
			return err
		}
	}
	if query.Session != nil {
		const fits = `SELECT x.id FROM json_each(:ids) w CROSS JOIN observations x ON x.id = w.value
			WHERE x.session = (SELECT id FROM nodes WHERE kind = 'session' AND key = :session)`
		if err := s.keep(ctx, c, fits, arg("session", query.Session)); err != nil {
			return err
		}
	}
	if query.Topic != nil {
		const fits = `SELECT x.id FROM json_each(:ids) w CROSS JOIN corrections x ON x.id = w.value WHERE x.topic = :topic`
		return s.keep(ctx, c, fits, arg("topic", query.Topic))
	}
	return nil
}

// keep leaves out all but those that a query answers.
func (s *search) keep(ctx context.Context, c *conn, fits string, filter driver.NamedValue) error {
	ids, err := jsonOf(slices.Collect(maps.Keys(s.scores)))
	if err != nil {
		return err
	}
	kept := map[int64]float64{}
	err = c.search(ctx, fits, func(r *row) error {
		id := r.integer()
		kept[id] = s.scores[id]
		return nil
	}, arg("ids", ids), filter)
	s.scores = kept
	return err
}

// top answers the best by score, then by global id.
func (s *search) top(ctx context.Context, c *conn, limit int) ([]store.SearchMatch, error) {
	ids, err := jsonOf(s.noWorseThan(limit))
	if err != nil {
		return nil, err
	}
	var found []store.SearchMatch
	err = c.search(ctx, `SELECT n.id, n.key FROM json_each(:ids) w CROSS JOIN nodes n ON n.id = w.value`, func(r *row) error {
		id := r.integer()
		found = append(found, store.SearchMatch{Kind: s.kindOf[id], Key: r.text(), Score: s.scores[id]})
		return nil
	}, arg("ids", ids))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b store.SearchMatch) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(memory.NodeID(a.Kind, a.Key), memory.NodeID(b.Kind, b.Key)))
	})
	return found[:min(len(found), limit)], nil
}

// noWorseThan are those that may be among the first: all that are as good as the last of them.
func (s *search) noWorseThan(place int) []int64 {
	ids := slices.SortedFunc(maps.Keys(s.scores), func(a, b int64) int { return cmp.Compare(s.scores[b], s.scores[a]) })
	if place <= 0 {
		return nil
	}
	last := place
	for last < len(ids) && s.scores[ids[last]] == s.scores[ids[place-1]] {
		last++
	}
	return ids[:min(last, len(ids))]
}

// match scores all records that have one of the telling words.
func (s *search) match(ctx context.Context, c *conn) error {
	if len(s.terms) == 0 {
		return nil
	}
	considered := lexical.Considered(s.terms)
	sizes, err := indexSizes(c)
	if err != nil {
		return err
	}
	all := 0
	counts, total := map[memory.Kind]map[string]int{}, map[string]int{}
	for _, kind := range s.kinds {
		if counts[kind], err = frequencies(c, kind, considered); err != nil {
			return err
		}
		for stem, count := range counts[kind] {
			total[stem] += count
		}
		all += sizes[kind]
	}
	for _, term := range withinBudget(lexical.Distinctive(considered, total), total, s.entries) {
		rarity := lexical.Rarity(total[term.Stem], all)
		for _, kind := range s.kinds {
			if count := counts[kind][term.Stem]; count > 0 {
				exchange := rarity / indexRarity(count, rowsBeside(kind, sizes))
				if err := s.matchWord(ctx, c, kind, term.Stem, count, exchange); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// matchWord adds a word's part to the scores of the records of a kind. The index weighs the word by
// its own measure of rarity, which is exchanged for the one that holds for all kinds. Of a word that too many
// have, it takes the latest recorded.
func (s *search) matchWord(ctx context.Context, c *conn, kind memory.Kind, stem string, count int, exchange float64) error {
	words := arg("words", anyOf([]lexical.Term{{Stem: entry(kind, stem)}}))
	least := int64(0)
	if count > s.entries {
		if _, err := c.one(wordsOf(kind).latest, func(r *row) { least = r.integer() }, words, arg("beyond", s.entries-1)); err != nil {
			return err
		}
	}
	return c.search(ctx, wordsOf(kind).match, func(r *row) error {
		id, raw := r.integer(), r.float()
		s.scores[id] += float64(raw * exchange)
		s.kindOf[id] = kind
		return nil
	}, words, arg("least", least))
}

// indexSizes is how many records of each kind are indexed.
func indexSizes(c *conn) (map[memory.Kind]int, error) {
	sizes := make(map[memory.Kind]int, len(texts))
	for kind := range texts {
		const read = `SELECT records FROM stems WHERE kind = :kind AND stem = ''`
		if _, err := c.one(read, func(r *row) { sizes[kind] = r.int() }, arg("kind", string(kind))); err != nil {
			return nil, err
		}
	}
	return sizes, nil
}

// rowsBeside is how many rows the index of a kind has, those of other kinds included.
func rowsBeside(kind memory.Kind, sizes map[memory.Kind]int) (rows int) {
	for other, size := range sizes {
		if wordsOf(other) == wordsOf(kind) {
			rows += size
		}
	}
	return rows
}

// indexRarity is the factor that FTS5's bm25() gives a word that n of all rows have: the inverse document
// frequency of Robertson and Spärck Jones, and a millionth where that is not above 0
// (https://sqlite.org/fts5.html#the_bm25_function).
func indexRarity(n, all int) float64 {
	if idf := math.Log((float64(all-n) + 0.5) / (float64(n) + 0.5)); idf > 0 {
		return idf
	}
	return 1e-6
}
