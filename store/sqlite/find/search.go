package find

import (
	"cmp"
	"context"
	"database/sql/driver"
	"maps"
	"slices"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/words"
)

// Search ranks records of several kinds together. Each kind is asked apart, so that no kind costs the others
// anything, and a word is as rare as it is among all kinds that are asked.
func Search(ctx context.Context, c *db.Conn, query *store.SearchQuery, bounds Bounds) ([]store.SearchMatch, error) {
	s := search{entries: bounds.Entries, kinds: words.Searchable(query.Kinds), terms: lexical.Terms(query.Text), scores: map[int64]float64{}, kindOf: map[int64]memory.Kind{}}
	if err := s.match(ctx, c); err != nil || len(s.scores) == 0 {
		return nil, err
	}
	if err := s.normalise(c); err != nil {
		return nil, err
	}
	if err := s.filter(ctx, c, query); err != nil {
		return nil, err
	}
	return s.top(ctx, c, query.Limit)
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
func (s *search) normalise(c *db.Conn) error {
	var best int64
	for id, score := range s.scores {
		if score > s.scores[best] || score == s.scores[best] && id < best {
			best = id
		}
	}
	said, err := words.TextsOf(c, s.kindOf[best], best)
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
func (s *search) filter(ctx context.Context, c *db.Conn, query *store.SearchQuery) error {
	if query.Memoir != nil {
		const fits = `SELECT p.id FROM json_each(:ids) w CROSS JOIN concepts p ON p.id = w.value WHERE ` + graph.OfMemoir
		if err := s.keep(ctx, c, fits, db.Arg("memoir", query.Memoir)); err != nil {
			return err
		}
	}
	if len(query.Labels) > 0 {
		labels, err := db.JSONOf(query.Labels)
		if err != nil {
			return err
		}
		const fits = `SELECT p.id FROM json_each(:ids) w CROSS JOIN concepts p ON p.id = w.value
			WHERE json_valid(p.labels) AND NOT EXISTS (SELECT value FROM json_each(:labels) EXCEPT SELECT value FROM json_each(p.labels))`
		if err := s.keep(ctx, c, fits, db.Arg("labels", labels)); err != nil {
			return err
		}
	}
	if query.Session != nil {
		const fits = `SELECT x.id FROM json_each(:ids) w CROSS JOIN observations x ON x.id = w.value
			WHERE x.session = (SELECT id FROM nodes WHERE kind = 'session' AND key = :session)`
		if err := s.keep(ctx, c, fits, db.Arg("session", query.Session)); err != nil {
			return err
		}
	}
	if query.Topic != nil {
		const fits = `SELECT x.id FROM json_each(:ids) w CROSS JOIN corrections x ON x.id = w.value WHERE x.topic = :topic`
		return s.keep(ctx, c, fits, db.Arg("topic", query.Topic))
	}
	return nil
}

// keep leaves out all but those that a query answers.
func (s *search) keep(ctx context.Context, c *db.Conn, fits string, filter driver.NamedValue) error {
	ids, err := db.JSONOf(slices.Collect(maps.Keys(s.scores)))
	if err != nil {
		return err
	}
	kept := map[int64]float64{}
	err = c.Search(ctx, fits, func(r *db.Row) error {
		id := r.Integer()
		kept[id] = s.scores[id]
		return nil
	}, db.Arg("ids", ids), filter)
	s.scores = kept
	return err
}

// top answers the best by score, then by global id.
func (s *search) top(ctx context.Context, c *db.Conn, limit int) ([]store.SearchMatch, error) {
	ids, err := db.JSONOf(s.noWorseThan(limit))
	if err != nil {
		return nil, err
	}
	var found []store.SearchMatch
	err = c.Search(ctx, `SELECT n.id, n.key FROM json_each(:ids) w CROSS JOIN nodes n ON n.id = w.value`, func(r *db.Row) error {
		id := r.Integer()
		found = append(found, store.SearchMatch{Kind: s.kindOf[id], Key: r.Text(), Score: s.scores[id]})
		return nil
	}, db.Arg("ids", ids))
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
func (s *search) match(ctx context.Context, c *db.Conn) error {
	if len(s.terms) == 0 {
		return nil
	}
	considered := lexical.Considered(s.terms)
	sizes, err := words.Sizes(c)
	if err != nil {
		return err
	}
	all := 0
	counts, total := map[memory.Kind]map[string]int{}, map[string]int{}
	for _, kind := range s.kinds {
		if counts[kind], err = words.Frequencies(c, kind, considered); err != nil {
			return err
		}
		for stem, count := range counts[kind] {
			total[stem] += count
		}
		all += sizes[kind]
	}
	for _, term := range words.WithinBudget(lexical.Distinctive(considered, total), total, s.entries) {
		rarity := lexical.Rarity(total[term.Stem], all)
		for _, kind := range s.kinds {
			if count := counts[kind][term.Stem]; count > 0 {
				exchange := rarity / words.Rarity(count, words.RowsBeside(kind, sizes))
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
func (s *search) matchWord(ctx context.Context, c *db.Conn, kind memory.Kind, stem string, count int, exchange float64) error {
	matched := db.Arg("words", words.AnyOf([]lexical.Term{{Stem: words.Entry(kind, stem)}}))
	least := int64(0)
	if count > s.entries {
		if _, err := c.One(words.TableOf(kind).Latest, func(r *db.Row) { least = r.Integer() }, matched, db.Arg("beyond", s.entries-1)); err != nil {
			return err
		}
	}
	return c.Search(ctx, words.TableOf(kind).Match, func(r *db.Row) error {
		id, raw := r.Integer(), r.Float()
		s.scores[id] += float64(raw * exchange)
		s.kindOf[id] = kind
		return nil
	}, matched, db.Arg("least", least))
}
