package sqlite

import (
	"context"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/find"
)

// Candidates reads the pool of a recall, all of one state of the database.
func (t *Tenant) Candidates(ctx context.Context, query store.RecallQuery) (found store.Candidates, err error) {
	var wide store.Sum // where how many pass is not known
	if len(query.Embedding) > 0 {
		wide = store.BudgetOf(ctx).Sum()
	}
	ctx = store.Unmetered(ctx) // else it looks through little, or through what is in memory for all requests
	err = t.file.Snapshot(ctx, func(c *db.Conn) (err error) {
		found, err = find.Candidates(ctx, c, &query, t.bounds, wide)
		return err
	})
	if err != nil {
		return store.Candidates{}, err
	}
	return found, nil
}

// Search ranks records of several kinds together, all of one state of the database.
func (t *Tenant) Search(ctx context.Context, query store.SearchQuery) ([]store.SearchMatch, error) {
	ctx = store.Unmetered(ctx) // as a recall
	found := []store.SearchMatch{}
	err := t.file.Snapshot(ctx, func(c *db.Conn) error {
		top, err := find.Search(ctx, c, &query, t.bounds)
		found = append(found, top...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}
