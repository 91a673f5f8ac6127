package learning

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

// ExecutionsByKey reads executions in the order of the keys, nil where there is none.
func ExecutionsByKey(ctx context.Context, c *db.Conn, keys []string) ([]*memory.Execution, error) {
	list := db.JSONOf(db.Distinct(keys))
	archived, err := archivedByKey(ctx, c, list)
	if err != nil {
		return nil, err
	}
	live, err := liveByKey(ctx, c, list)
	if err != nil {
		return nil, err
	}
	return store.InOrder(keys, append(archived, live...), func(e *memory.Execution) string { return e.Key }), nil
}

// The executions of given keys with their profiles; the time of the link is the execution's.
const registered = ` FROM json_each(:keys) k CROSS JOIN nodes n ON n.kind = 'execution' AND n.key = k.value
	CROSS JOIN edges o ON o.source = n.id AND o.type = 'OF'`

func archivedByKey(ctx context.Context, c *db.Conn, keys string) (found []*memory.Execution, err error) {
	find := `SELECT coalesce(a.key, p.agent), p.task_type, ` + archiveColumns + registered + `
		JOIN archive x ON x.profile = o.target AND x.at = o.at AND x.key = n.key
		JOIN profiles p ON p.id = x.profile` + profileAgent
	err = c.Search(ctx, find, func(r *db.Row) {
		p := Profile{LearningProfile: memory.LearningProfile{AgentKey: r.Text(), TaskType: r.Text()}}
		found = db.Keep(r, found, p.readArchived(r))
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
	err = c.Search(ctx, find, func(r *db.Row) {
		p := readWhole(r)
		if r.Damaged() || r.Err != nil {
			return
		}
		for _, e := range p.Executions() {
			if _, asked := slices.BinarySearch(wanted, e.Key); asked {
				found = append(found, e)
			}
		}
	}, db.Arg("keys", keys))
	return found, err
}

// ListExecutions reads a page of a profile's executions, and whether more follow by one more.
func ListExecutions(ctx context.Context, c *db.Conn, query *store.ExecutionsOf) ([]*memory.Execution, error) {
	p, err := findProfile(c, query.Agent, query.TaskType)
	if err != nil || p == nil {
		return nil, err
	}
	if query.AsOf != nil {
		if err := p.rewind(ctx, c, *query.AsOf); err != nil || p.Total == 0 {
			return nil, err
		}
	}
	if !query.Archived {
		return p.liveBefore(query.Page.After), nil
	}
	at, key := p.archivedAfter(query.Page.After)
	return p.archivedBefore(ctx, c, at, key, query.Page.Limit+1)
}

// liveBefore are the executions of the window that are older than a position, the latest first.
func (p *Profile) liveBefore(after *store.Position) []*memory.Execution {
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
func (p *Profile) archivedAfter(after *store.Position) (at time.Time, key string) {
	at, key = time.UnixMilli(p.Window.At[0]).UTC(), p.Window.Keys[0]
	if after != nil && cmp.Or(after.At.Compare(at), cmp.Compare(after.Key, key)) < 0 {
		return after.At, after.Key
	}
	return at, key
}

// rewind makes the profile what it was at an instant. It may be left without executions.
func (p *Profile) rewind(ctx context.Context, c *db.Conn, asOf time.Time) error {
	if err := p.undo(ctx, c, asOf); err != nil {
		return err
	}
	return p.fillUp(c, asOf)
}

// Take registers a new execution and counts it, and answers its node.
func (p *Profile) Take(tx *db.Tx, e *memory.Execution, hash any) int64 {
	id := graph.AddNode(tx, memory.KindExecution, e.Key)
	tx.Exec(`INSERT INTO executions (id, input_hash) VALUES (:id, :hash)`, db.Arg("id", id), db.Arg("hash", hash))
	graph.AddEdge(tx, id, graph.EdgeOf, p.ID, e.At)
	graph.Notice(tx, memory.KindExecution, id)
	counted := *e
	counted.Archived = false
	if archived := p.Add(counted); archived != nil {
		p.archive(tx, archived)
	}
	return id
}

// drop takes an execution out of the counters, and lets the archive refill the window.
func (p *Profile) drop(tx *db.Tx, e *memory.Execution) {
	refill := p.Remove(*e)
	if p.unarchive(tx, e); !refill {
		return
	}
	latest := db.Ask(tx, func(c *db.Conn) ([]*memory.Execution, error) { return p.latestArchived(c, nil, 1) })
	for _, archived := range latest {
		p.Refill(*archived)
		p.unarchive(tx, archived)
	}
}
