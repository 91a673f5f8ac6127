package sqlite

import (
	"context"
	"errors"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
)

// Another process that waits to write asks every 100 ms whether it can.
const (
	restAfter = 100 * time.Millisecond
	rest      = 120 * time.Millisecond
)

// DeleteAgent deletes an agent with its episodes, all that they own and what is held of further ones, in parts,
// so that others can write in between.
func (t *Tenant) DeleteAgent(ctx context.Context, key string) (episodes int, err error) {
	if _, err := t.InputKey(ctx); err != nil { // tombstones are made with it
		return 0, err
	}
	rested := time.Now()
	for done, first := false, true; !done; first = false {
		if time.Since(rested) > restAfter {
			time.Sleep(rest)
			rested = time.Now()
		}
		count := 0
		err := t.write(ctx, func(c *conn) (err error) {
			if count, done, err = buryPart(ctx, c, key, first); err != nil {
				return err
			}
			return markScrub(c) // it begins with the last part, or when this is broken off
		})
		if errors.Is(err, store.ErrNotFound) && !first {
			break // somebody else has deleted the rest
		}
		if err != nil {
			return 0, err
		}
		episodes += count
	}
	return episodes, t.erase(ctx, func(*conn) error { return nil })
}

// buryPart deletes the next part of an agent: what is held of it, some episodes, else some executions that are
// no episodes, and at last itself. Its tombstone comes with the first part, so that what was broken off does not
// come back.
func buryPart(ctx context.Context, c *conn, key string, first bool) (episodes int, done bool, err error) {
	g, err := graves(c)
	if err != nil {
		return 0, false, err
	}
	agent, err := nodeID(c, memory.KindAgent, key)
	if err != nil {
		return 0, false, err
	}
	traces := 0
	if first {
		if traces, err = g.buryHeld(ctx, key); err != nil {
			return 0, false, err
		}
	}
	if agent == 0 && traces == 0 {
		return 0, false, store.ErrNotFound
	}
	if err := g.bury(memory.NodeID(memory.KindAgent, key)); err != nil || agent == 0 {
		return 0, true, err
	}
	if episodes, err = g.buryEpisodes(ctx, agent); episodes > 0 || err != nil {
		return episodes, false, err
	}
	if found, err := g.buryExecutions(agent); found || err != nil {
		return 0, false, err
	}
	const sums = `SELECT id FROM nodes WHERE kind = 'observation' AND substr(key, 1, length(:prefix)) = :prefix`
	nodes, err := idsOf(ctx, c, sums, "prefix", memory.ConsolidatedOf(key))
	if err != nil {
		return 0, false, err
	}
	if _, err := g.buryHeld(ctx, key); err != nil { // what has come since the first part
		return 0, false, err
	}
	return 0, true, g.buryNodes(append(nodes, agent)) // the agent last: the others refer to it
}

// buryHeld lets go of the traces that name an agent, and says how many there were.
func (g graveyard) buryHeld(ctx context.Context, agent string) (traces int, err error) {
	const find = `SELECT data, EXISTS (SELECT 1 FROM nodes WHERE kind = 'episode' AND key = trace) FROM spans ORDER BY trace`
	found := store.NewAgentTraces(agent)
	err = g.search(ctx, find, func(r *row) error {
		held, err := heldSpan(r)
		if err == nil {
			found.Add(&held, r.bool())
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	waiting, late := found.Found()
	for _, trace := range waiting {
		if err := g.bury(memory.NodeID(memory.KindEpisode, trace)); err != nil {
			return 0, err
		}
	}
	for _, trace := range slices.Concat(waiting, late) {
		if err := g.exec(`DELETE FROM spans WHERE trace = :trace`, arg("trace", trace)); err != nil {
			return 0, err
		}
	}
	return len(waiting) + len(late), nil
}

// A part is 100 episodes: some hundred milliseconds where they are long. The oldest come first: to take them out of a profile does not touch its window.
const (
	nextEpisodes = `SELECT id FROM episodes WHERE agent = :agent ORDER BY coalesce(ended_at, started_at) LIMIT 100`
	ownEpisodes  = `WITH own (id) AS (SELECT value FROM json_each(:own))
		SELECT id FROM own UNION ALL
		SELECT e.target FROM own JOIN edges e ON e.source = own.id AND e.type IN ('PRESENTED', 'RECEIVED') UNION ALL
		SELECT e.source FROM own JOIN edges e ON e.target = own.id AND e.type = 'FROM'`
	executedOwn = executedColumns + ` WHERE e.task_type IS NOT NULL AND e.id IN (SELECT value FROM json_each(:own))
		ORDER BY e.task_type, coalesce(e.ended_at, e.started_at), n.key`
	releaseSpans = `DELETE FROM spans WHERE trace IN (SELECT key FROM nodes WHERE id IN (SELECT value FROM json_each(:own)))`
)

// buryEpisodes deletes some episodes of an agent, and says how many.
func (g graveyard) buryEpisodes(ctx context.Context, agent int64) (count int, err error) {
	own, err := idsOf(ctx, g.conn, nextEpisodes, "agent", agent)
	if err != nil || len(own) == 0 {
		return 0, err
	}
	list, err := jsonOf(own)
	if err != nil {
		return 0, err
	}
	if err := g.exec(releaseSpans, arg("own", list)); err != nil {
		return 0, err
	}
	owned, err := idsOf(ctx, g.conn, ownEpisodes, "own", list)
	if err != nil {
		return 0, err
	}
	profiles, err := discountEpisodes(g.conn, list)
	if err != nil {
		return 0, err
	}
	return len(own), g.buryNodes(slices.Concat(owned, profiles))
}

// discountEpisodes takes the executions that episodes of one agent are out of its profiles, and answers the
// profiles that are empty then.
func discountEpisodes(c *conn, episodes string) (empty []int64, err error) {
	executions := map[string][]*memory.Execution{}
	err = c.query(executedOwn, func(r *row) error {
		if e := readEpisodeExecution(r); e.Execution != nil {
			executions[e.TaskType] = append(executions[e.TaskType], e.Execution)
		}
		return nil
	}, arg("own", episodes))
	if err != nil {
		return nil, err
	}
	for taskType, list := range executions {
		p, err := findProfile(c, list[0].AgentKey, taskType)
		if err != nil {
			return nil, err
		}
		if err := p.dropAll(c, list); err != nil {
			return nil, err
		}
		if p.Total == 0 {
			empty = append(empty, p.id)
		}
	}
	return empty, nil
}

// dropAll takes executions out of the profile, and saves it if any are left.
func (p *profile) dropAll(c *conn, executions []*memory.Execution) error {
	for _, e := range executions {
		if err := p.drop(c, e); err != nil {
			return err
		}
	}
	if p.Total == 0 {
		return nil
	}
	return p.save(c)
}

// buryExecutions deletes some executions of an agent that has no episodes: the oldest of the archive of a
// profile, else its window, and the profile with that. It says whether there was one.
func (g graveyard) buryExecutions(agent int64) (found bool, err error) {
	const (
		one    = wholeProfile + ` WHERE p.agent = :agent LIMIT 1`
		oldest = archiveOf + ` ORDER BY x.at, x.key LIMIT 1000`
	)
	var p *profile
	if found, err = g.one(one, func(r *row) { p = readWhole(r) }, arg("agent", agent)); err != nil || !found {
		return false, err
	}
	var executions []*memory.Execution
	err = g.query(oldest, func(r *row) error {
		executions = append(executions, p.readArchived(r))
		return nil
	}, arg("profile", p.id))
	if err != nil {
		return false, err
	}
	if len(executions) == 0 {
		executions = p.Executions()
	}
	if err := p.dropAll(g.conn, executions); err != nil {
		return false, err
	}
	nodes := make([]int64, 0, len(executions)+1)
	for _, e := range executions {
		id, err := nodeID(g.conn, memory.KindExecution, e.Key)
		if err != nil {
			return false, err
		}
		nodes = append(nodes, id)
	}
	if p.Total == 0 {
		nodes = append(nodes, p.id)
	}
	return true, g.buryNodes(nodes)
}
