package sqlite

import (
	"context"
	"math"

	"mneme/memory"
	"mneme/store/lexical"
)

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
