package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/profiles"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/learning"
)

// executions reads executions by key.
func (t *Tenant) executions(ctx context.Context, keys []string) ([]*memory.Execution, error) {
	return answer(ctx, t.file.Snapshot, func(c *db.Conn) ([]*memory.Execution, error) {
		found, err := learning.ByKey(ctx, c, keys)
		if err != nil {
			return nil, err
		}
		return found, tellGone(c, memory.KindExecution, keys, found)
	})
}

// listExecutions reads a page of a profile's executions.
func (t *Tenant) listExecutions(ctx context.Context, query *store.ExecutionsOf, page store.Page) ([]*memory.Execution, bool, error) {
	return profiles.List(query, page, func(l profiles.Listing) ([]profiles.Listed, error) {
		page, _, err := wholePage(ctx, t.file.Snapshot, l.Limit, func(c *db.Conn, most int) ([]profiles.Listed, error) {
			l.Limit = most
			return learning.Page(ctx, c, l)
		})
		return page, err
	})
}

func recordExecution(tx *db.Tx, record *store.ExecutionRecord) (created bool, err error) {
	if known, err := sameAsRecorded(tx, memory.KindExecution, record.Key, record.InputHash); known || err != nil {
		return false, err
	}
	if known, err := learning.Pending(tx, record); known || err != nil {
		return false, err
	}
	learning.Count(tx, *record)
	return true, nil
}
