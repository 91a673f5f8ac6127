package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/find"
)

// Candidates reads the pool of a recall, all of one state of the database.
func (t *Tenant) Candidates(ctx context.Context, query store.RecallQuery) (found store.Candidates, err error) {
	err = t.file.Snapshot(ctx, func(c *db.Conn) (err error) {
		found, err = find.Candidates(ctx, c, &query, t.bounds)
		return err
	})
	if err != nil {
		return store.Candidates{}, err
	}
	return found, nil
}

// Search ranks records of several kinds together, all of one state of the database.
func (t *Tenant) Search(ctx context.Context, query store.SearchQuery) ([]store.SearchMatch, error) {
	found := []store.SearchMatch{}
	err := t.file.Snapshot(ctx, func(c *db.Conn) error {
		top, err := find.Search(ctx, c, &query, t.bounds)
		found = append(found, top...)
		return err
	})
	if err != nil {
		return nil, err
	}
	if query.Neighbours {
		return t.withNeighbours(ctx, found, query.Limit)
	}
	return found, nil
}

// withNeighbours adds those that stand next to matches.
func (t *Tenant) withNeighbours(ctx context.Context, found []store.SearchMatch, limit int) ([]store.SearchMatch, error) {
	scores, keys := make(map[string]float64, len(found)), make([]string, len(found))
	for i, match := range found {
		scores[match.Key], keys[i] = match.Score, match.Key
	}
	neighbours, err := t.sessionNeighbours(ctx, keys)
	if err != nil {
		return nil, err
	}
	ranked := ranking.WithNeighbours(scores, neighbours)
	found = make([]store.SearchMatch, min(limit, len(ranked)))
	for i, scored := range ranked[:len(found)] {
		found[i] = store.SearchMatch{Kind: memory.KindObservation, Key: scored.Key, Score: scored.Score}
	}
	return found, nil
}
