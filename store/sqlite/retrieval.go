package sqlite

import (
	"context"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/find"
)

// Candidates reads the pool of a recall, all of one state of the database.
func (t *Tenant) Candidates(ctx context.Context, query store.RecallQuery) (store.Candidates, error) {
	var wide store.Sum // where how many pass is not known
	if len(query.Embedding) > 0 {
		wide = store.BudgetOf(ctx).Sum()
	}
	ctx = store.Unmetered(ctx) // else it looks through little, or through what is in memory for all requests
	return answer(ctx, t.file.Snapshot, func(c *db.Conn) (store.Candidates, error) {
		return find.Candidates(ctx, c, &query, t.bounds, wide)
	})
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
	return found, err
}
