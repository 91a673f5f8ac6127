package sqlite

import (
	"cmp"
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// Executions reads executions by key: those that are archived, and the windows of the others.
func (t *Tenant) Executions(ctx context.Context, keys []string) ([]*memory.Execution, error) {
	var found []*memory.Execution
	err := t.file.Snapshot(ctx, func(c *db.Conn) (err error) {
		if found, err = executionsByKey(ctx, c, keys); err != nil {
			return err
		}
		return tellGone(c, memory.KindExecution, keys, found)
	})
	return found, err
}

// executionsByKey reads executions in the order of the keys, nil where there is none.
func executionsByKey(ctx context.Context, c *db.Conn, keys []string) ([]*memory.Execution, error) {
	list, err := db.JSONOf(distinct(keys))
	if err != nil {
		return nil, err
	}
	archived, err := archivedByKey(ctx, c, list)
	if err != nil {
		return nil, err
	}
	live, err := liveByKey(ctx, c, list)
	if err != nil {
		return nil, err
	}
	return inOrder(keys, append(archived, live...), func(e *memory.Execution) string { return e.Key }), nil
}

// The executions of given keys with their profiles; the time of the link is the execution's.
const registered = ` FROM json_each(:keys) k CROSS JOIN nodes n ON n.kind = 'execution' AND n.key = k.value
	CROSS JOIN edges o ON o.source = n.id AND o.type = 'OF'`

func archivedByKey(ctx context.Context, c *db.Conn, keys string) (found []*memory.Execution, err error) {
	find := `SELECT coalesce(a.key, p.agent), p.task_type, ` + archiveColumns + registered + `
		JOIN archive x ON x.profile = o.target AND x.at = o.at AND x.key = n.key
		JOIN profiles p ON p.id = x.profile` + profileAgent
	err = c.Search(ctx, find, func(r *db.Row) error {
		p := profile{LearningProfile: memory.LearningProfile{AgentKey: r.Text(), TaskType: r.Text()}}
		found = db.Keep(r, found, p.readArchived(r))
		return nil
	}, db.Arg("keys", keys))
	return found, err
}

// liveByKey reads the windows in which executions are, all that is in them.
func liveByKey(ctx context.Context, c *db.Conn, keys string) (found []*memory.Execution, err error) {
	const find = wholeProfile + ` WHERE p.id IN (SELECT o.target` + registered + `
		WHERE NOT EXISTS (SELECT 1 FROM archive x WHERE x.profile = o.target AND x.at = o.at AND x.key = n.key))`
	wanted, err := db.DecodeList[string](keys)
	if err != nil {
		return nil, err
	}
	err = c.Search(ctx, find, func(r *db.Row) error {
		p := readWhole(r)
		if r.Damaged() || r.Err != nil {
			return nil //nolint:nilerr // readRows answers the error of a row
		}
		for _, e := range p.Executions() {
			if _, asked := slices.BinarySearch(wanted, e.Key); asked {
				found = append(found, e)
			}
		}
		return nil
	}, db.Arg("keys", keys))
	return found, err
}

// ListExecutions reads a page of a profile's executions.
func (t *Tenant) ListExecutions(ctx context.Context, query store.ExecutionsOf) ([]*memory.Execution, bool, error) {
	var found []*memory.Execution
	err := t.file.Snapshot(ctx, func(c *db.Conn) error {
		p, err := findProfile(c, query.Agent, query.TaskType)
		if err != nil || p == nil {
			return err
		}
		if query.AsOf != nil {
			if err := p.rewind(ctx, c, *query.AsOf); err != nil || p.Total == 0 {
				return err
			}
		}
		if !query.Archived {
			found = p.liveBefore(query.Page.After)
			return nil
		}
		at, key := p.archivedAfter(query.Page.After)
		found, err = p.archivedBefore(ctx, c, at, key, query.Page.Limit+1)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	page, more := cut(found, query.Page.Limit)
	return page, more, nil
}

// liveBefore are the executions of the window that are older than a position, the latest first.
func (p *profile) liveBefore(after *store.Position) []*memory.Execution {
	live := p.Executions()
	slices.Reverse(live)
	if after == nil {
		return live
	}
	return slices.DeleteFunc(live, func(e *memory.Execution) bool {
		return cmp.Or(e.At.Compare(after.At), cmp.Compare(e.Key, after.Key)) >= 0
	})
}

// archivedAfter is the position behind which a page of the archive begins: that of the oldest in the window,
// or the page's own where that is older.
func (p *profile) archivedAfter(after *store.Position) (at time.Time, key string) {
	at, key = time.UnixMilli(p.Window.At[0]).UTC(), p.Window.Keys[0]
	if after != nil && cmp.Or(after.At.Compare(at), cmp.Compare(after.Key, key)) < 0 {
		return after.At, after.Key
	}
	return at, key
}

// rewind makes the profile what it was at an instant. It may be left without executions.
func (p *profile) rewind(ctx context.Context, c *db.Conn, asOf time.Time) error {
	if err := p.undo(ctx, c, asOf); err != nil {
		return err
	}
	return p.fillUp(c, asOf)
}

// RecordExecutions writes a batch in one transaction.
func (t *Tenant) RecordExecutions(ctx context.Context, records []store.ExecutionRecord) ([]store.Recorded, error) {
	return recordAll(ctx, t, records, recordExecution, func(r *store.ExecutionRecord) string { return r.Execution.Key })
}

const hashOfExecution = `SELECT x.input_hash FROM nodes n LEFT JOIN executions x ON x.id = n.id WHERE n.kind = :kind AND n.key = :key`

func recordExecution(c *db.Conn, record *store.ExecutionRecord) (created bool, err error) {
	e := &record.Execution
	if known, err := sameAsRecorded(c, memory.KindExecution, e.Key, hashOfExecution, record.InputHash, &record.Former); known || err != nil {
		return false, err
	}
	if _, err := graph.EnsureAgent(c, e.AgentKey, nil); err != nil {
		return false, err
	}
	p, err := profileOf(c, e)
	if err != nil {
		return false, err
	}
	if _, err := p.take(c, e, blob(record.InputHash)); err != nil {
		return false, err
	}
	return true, keepProfile(c, p)
}

// take registers a new execution and counts it, and answers its node.
func (p *profile) take(c *db.Conn, e *memory.Execution, hash any) (int64, error) {
	id, err := graph.AddNode(c, memory.KindExecution, e.Key)
	if err != nil {
		return 0, err
	}
	if err := c.Exec(`INSERT INTO executions (id, input_hash) VALUES (:id, :hash)`, db.Arg("id", id), db.Arg("hash", hash)); err != nil {
		return 0, err
	}
	if err := graph.AddEdge(c, id, graph.EdgeOf, p.id, e.At); err != nil {
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
func (p *profile) drop(c *db.Conn, e *memory.Execution) error {
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
