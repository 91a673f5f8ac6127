package sqlite

import (
	"context"
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
