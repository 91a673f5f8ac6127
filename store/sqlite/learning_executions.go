package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
)

// Executions reads executions by key: those that are archived, and the windows of the others.
func (t *Tenant) Executions(ctx context.Context, keys []string) ([]*memory.Execution, error) {
	return answer(ctx, t.file.Snapshot, func(c *db.Conn) ([]*memory.Execution, error) {
		found, err := learning.ExecutionsByKey(ctx, c, keys)
		if err != nil {
			return nil, err
		}
		return found, tellGone(c, memory.KindExecution, keys, found)
	})
}

// ListExecutions reads a page of a profile's executions.
func (t *Tenant) ListExecutions(ctx context.Context, query store.ExecutionsOf) ([]*memory.Execution, bool, error) {
	found, err := answer(ctx, t.file.Snapshot, func(c *db.Conn) ([]*memory.Execution, error) {
		return learning.ListExecutions(ctx, c, &query)
	})
	page, more := cut(found, query.Page.Limit)
	return page, more, err
}

// RecordExecutions writes a batch in one transaction.
func (t *Tenant) RecordExecutions(ctx context.Context, records []store.ExecutionRecord) ([]store.Recorded, error) {
	return recordAll(ctx, t, records, recordExecution, func(r *store.ExecutionRecord) string { return r.Execution.Key })
}

func recordExecution(tx *db.Tx, record *store.ExecutionRecord) (created bool, err error) {
	e := &record.Execution
	if known, err := sameAsRecorded(tx, memory.KindExecution, e.Key, record.InputHash); known || err != nil {
		return false, err
	}
	graph.EnsureAgent(tx, e.AgentKey, nil)
	p := learning.ProfileFor(tx, e)
	p.Take(tx, e, db.Bytes(record.InputHash))
	learning.SaveProfile(tx, p)
	return true, nil
}
