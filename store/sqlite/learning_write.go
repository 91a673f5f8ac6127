package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// RecordExecutions writes a batch in one transaction.
func (t *Tenant) RecordExecutions(ctx context.Context, records []store.ExecutionRecord) ([]store.Recorded, error) {
	return recordAll(ctx, t, records, recordExecution, func(r *store.ExecutionRecord) string { return r.Execution.Key })
}

const hashOfExecution = `SELECT x.input_hash FROM nodes n LEFT JOIN executions x ON x.id = n.id WHERE n.kind = :kind AND n.key = :key`

func recordExecution(c *conn, record *store.ExecutionRecord) (created bool, err error) {
	e := &record.Execution
	if known, err := sameAsRecorded(c, memory.KindExecution, e.Key, hashOfExecution, record.InputHash, &record.Former); known || err != nil {
		return false, err
	}
	if _, err := ensureAgent(c, e.AgentKey, nil); err != nil {
		return false, err
	}
	p, err := c.profileOf(e)
	if err != nil {
		return false, err
	}
	if _, err := p.take(c, e, blob(record.InputHash)); err != nil {
		return false, err
	}
	return true, c.keepProfile(p)
}

// take registers a new execution and counts it, and answers its node.
func (p *profile) take(c *conn, e *memory.Execution, hash any) (int64, error) {
	id, err := addNode(c, memory.KindExecution, e.Key)
	if err != nil {
		return 0, err
	}
	if err := c.exec(`INSERT INTO executions (id, input_hash) VALUES (:id, :hash)`, arg("id", id), arg("hash", hash)); err != nil {
		return 0, err
	}
	if err := addEdge(c, id, edgeOf, p.id, e.At); err != nil {
		return 0, err
	}
	counted := *e
	counted.Archived = false
	if archived := p.Add(counted); archived != nil {
		err = p.archive(c, archived)
	}
	return id, err
}

// drop takes an execution out of the counters, and lets the archive refill the window.
func (p *profile) drop(c *conn, e *memory.Execution) error {
	refill := p.Remove(*e)
	if err := p.unarchive(c, e); err != nil || !refill {
		return err
	}
	latest, err := p.latestArchived(c, nil, 1)
	if err != nil {
		return err
	}
	for _, archived := range latest {
		p.Refill(*archived)
		if err := p.unarchive(c, archived); err != nil {
			return err
		}
	}
	return nil
}
