package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"mneme/memory"
	"mneme/memory/consolidation"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
)

// DeleteAgent deletes what there is of an agent, in parts, so that others can write in between. What they record
// of it meanwhile stays, and the agent then too.
func (t *Tenant) DeleteAgent(ctx context.Context, key string) (episodes int, err error) {
	if t.file.IsNothing() {
		return 0, store.ErrNotFound
	}
	if _, err := t.InputKey(ctx); err != nil { // tombstones are made with it
		return 0, err
	}
	traces, err := t.tracesOf(ctx, key)
	if err != nil {
		return 0, err
	}
	if err := t.file.Write(ctx, func(c *db.Conn) error { return forgetName(c, key, len(traces.waiting)+len(traces.late) > 0) }); err != nil {
		return 0, err
	}
	if err := t.forgetTraces(ctx, traces); err != nil {
		return 0, err
	}
	// What there is now; traces that became episodes before they had their tombstones are among it.
	doomed, err := t.belongings(ctx, key)
	if err != nil {
		return 0, err
	}
	err = t.file.InParts(ctx, func(c *db.Conn) (done bool, err error) {
		g, err := tombstonesOf(c)
		if err != nil {
			return false, err
		}
		count, done, err := doomed.forgetPart(ctx, g)
		episodes += count
		return done, err
	})
	return episodes, err
}

// forgetName leaves an agent's tombstone and takes its name away.
func forgetName(c *db.Conn, key string, held bool) error {
	g, err := tombstonesOf(c)
	if err != nil {
		return err
	}
	agent, err := graph.NodeID(c, memory.KindAgent, key)
	if err != nil {
		return err
	}
	if agent == 0 && !held {
		return store.ErrNotFound
	}
	if err := g.Exec(`UPDATE agents SET name = :key WHERE id = :agent`, db.Arg("key", key), db.Arg("agent", agent)); err != nil {
		return err
	}
	return g.add(memory.NodeID(memory.KindAgent, key))
}

// agentTraces are traces that name an agent: waiting are no episodes yet, late are those that are.
type agentTraces struct{ waiting, late []string }

// tracesOf finds the held traces that name an agent.
func (t *Tenant) tracesOf(ctx context.Context, agent string) (traces agentTraces, err error) {
	const find = `SELECT trace, EXISTS (SELECT 1 FROM nodes WHERE kind = 'episode' AND key = trace), span, data FROM spans ORDER BY trace`
	found := store.NewAgentTraces(agent)
	err = t.file.Read(ctx, func(c *db.Conn) error {
		return c.Search(ctx, find, func(r *db.Row) error {
			trace, recorded := r.Text(), r.Bool()
			held := readHeldSpan(r, trace)
			if r.Err == nil {
				found.Add(&held, recorded)
				return nil
			}
			data, _ := r.Named("data").(string)
			found.AddUnread(trace, []byte(data), recorded)
			r.Err = nil
			return nil
		})
	})
	traces.waiting, traces.late = found.Found()
	return traces, err
}

// forgetTraces deletes what is held of traces that name an agent. Those that are no episodes by now never become any.
func (t *Tenant) forgetTraces(ctx context.Context, traces agentTraces) error {
	let := func(g tombstones, trace string, waiting bool) error {
		episode, err := graph.NodeID(g.Conn, memory.KindEpisode, trace)
		if err != nil {
			return err
		}
		if waiting && episode == 0 {
			if err := g.add(memory.NodeID(memory.KindEpisode, trace)); err != nil {
				return err
			}
		}
		return g.Exec(`DELETE FROM spans WHERE trace = :trace`, db.Arg("trace", trace))
	}
	const together = 10
	all := slices.Concat(traces.waiting, traces.late)
	for at := 0; at < len(all); at += together {
		err := t.file.Erase(ctx, func(c *db.Conn) error {
			g, err := tombstonesOf(c)
			for i := at; i < min(at+together, len(all)) && err == nil; i++ {
				err = let(g, all[i], i < len(traces.waiting))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// belongings are what belongs to an agent when it is deleted, by key, and is not deleted yet.
type belongings struct {
	agent                              string
	episodes, executions, observations []string
	summed                             bool // the observations are known
}

// The oldest come first: to take them out of a profile does not touch its window. Of episodes that cannot be read it may
// be only the link that says whose they are.
const (
	doomedEpisodes = `WITH a (id) AS (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent)
		SELECT n.key FROM (SELECT e.id FROM a JOIN episodes e ON e.agent = a.id UNION SELECT r.target FROM a JOIN edges r ON r.source = a.id AND r.type = 'RAN') d
		JOIN nodes n ON n.id = d.id LEFT JOIN episodes e ON e.id = n.id ORDER BY coalesce(e.ended_at, e.started_at)`
	doomedExecutions = `SELECT n.key FROM nodes a JOIN profiles p ON p.agent = a.id JOIN edges o ON o.target = p.id AND o.type = 'OF'
		JOIN nodes n ON n.id = o.source
		WHERE a.kind = 'agent' AND a.key = :agent AND n.key NOT GLOB 'episode:*' ORDER BY o.at`
	doomedObservations = `SELECT key FROM nodes WHERE kind = 'observation' AND substr(key, 1, length(:agent)) = :agent`
)

// belongings finds what belongs to an agent.
func (t *Tenant) belongings(ctx context.Context, agent string) (*belongings, error) {
	doomed := &belongings{agent: agent}
	return doomed, t.file.Snapshot(ctx, func(c *db.Conn) (err error) {
		for _, part := range []struct {
			keys *[]string
			sql  string
		}{
			{&doomed.episodes, doomedEpisodes},
			{&doomed.executions, doomedExecutions},
		} {
			if *part.keys, err = keysOf(ctx, c, part.sql, agent); err != nil {
				return err
			}
		}
		return nil
	})
}

func keysOf(ctx context.Context, c *db.Conn, sql, agent string) (keys []string, err error) {
	return db.AllWithin(ctx, c, sql, (*db.Row).Text, db.Arg("agent", agent))
}

// forgetPart deletes the next part: some episodes, else some executions that are no episodes, some of what sums
// them up, and at last the agent, where nothing else has come to it.
func (b *belongings) forgetPart(ctx context.Context, g tombstones) (episodes int, done bool, err error) {
	agent, err := graph.NodeID(g.Conn, memory.KindAgent, b.agent)
	if err != nil {
		return 0, false, err
	}
	switch {
	case len(b.episodes) > 0:
		episodes, err = b.forgetEpisodes(ctx, g, agent)
	case len(b.executions) > 0:
		_, err = g.forgetExecutions(ctx, &b.agent, next(&b.executions))
	case !b.summed: // who would still sum up its episodes meets their tombstones
		b.summed = true
		b.observations, err = keysOf(ctx, g.Conn, doomedObservations, consolidation.KeyPrefix(b.agent))
	case len(b.observations) > 0:
		err = g.forgetKeys(ctx, memory.KindObservation, next(&b.observations))
	default:
		return 0, true, g.forgetIdle(ctx, agent)
	}
	return episodes, false, err
}

// next takes the next keys of a list, as many as go into a part.
func next(keys *[]string) []string {
	part := (*keys)[:min(mostInPart, len(*keys))]
	*keys = (*keys)[len(part):]
	return part
}

// forgetKeys deletes records of a kind.
func (g tombstones) forgetKeys(ctx context.Context, kind memory.Kind, keys []string) error {
	nodes, err := g.nodesOf(ctx, kind, keys)
	if err != nil {
		return err
	}
	return g.forgetNodes(nodes)
}

// nodesOf finds the records of a kind that are there.
func (g tombstones) nodesOf(ctx context.Context, kind memory.Kind, keys []string) (nodes []int64, err error) {
	list := db.JSONOf(keys)
	const find = `SELECT n.id FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = :kind AND n.key = w.value`
	return db.AllWithin(ctx, g.Conn, find, (*db.Row).Integer, db.Arg("keys", list), db.Arg("kind", string(kind)))
}

// forgetIdle deletes an agent that has nothing. What profiles still count of episodes that did not say any more what
// they were is summed up anew first.
func (g tombstones) forgetIdle(ctx context.Context, agent int64) error {
	miscounted, err := db.AllWithin(ctx, g.Conn, `SELECT p.id `+learning.Miscounted+` AND p.agent = :agent`, (*db.Row).Integer, db.Arg("agent", agent))
	if err != nil {
		return err
	}
	for _, profile := range miscounted {
		if err := learning.Rebuild(g.Conn, profile); err != nil {
			return err
		}
	}
	for _, table := range []string{"episodes", "canvases", "profiles"} { // what is no record any more
		const remove = `DELETE FROM %s AS x WHERE x.agent = :agent AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = x.id)`
		if err := g.Exec(fmt.Sprintf(remove, table), db.Arg("agent", agent)); err != nil {
			return err
		}
	}
	const busy = `SELECT 1 FROM episodes WHERE agent = :agent UNION ALL SELECT 1 FROM profiles WHERE agent = :agent`
	if found, err := g.One(busy, func(*db.Row) {}, db.Arg("agent", agent)); found || err != nil || agent == 0 {
		return err
	}
	return g.forgetNodes([]int64{agent})
}

// A part is up to 100 episodes: some hundred milliseconds where they are long.
const (
	episodesAtOnce = 100
	ownEpisodes    = `WITH own (id) AS (SELECT value FROM json_each(:own))
		SELECT id FROM own UNION ALL
		SELECT e.target FROM own JOIN edges e ON e.source = own.id AND e.type IN ('PRESENTED', 'RECEIVED') UNION ALL
		SELECT e.source FROM own JOIN edges e ON e.target = own.id AND e.type = 'FROM'`
	releaseSpans = `DELETE FROM spans WHERE trace IN (SELECT key FROM nodes WHERE id IN (SELECT value FROM json_each(:own)))`
)

var nextEpisodes = `SELECT w.key, n.id, (SELECT count(*) FROM (
		SELECT 1 FROM edges o WHERE o.source = n.id AND o.type IN ('PRESENTED', 'RECEIVED') LIMIT :most)), ` + bytesOf + `
	FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'episode' AND n.key = w.value
		LEFT JOIN episodes e ON e.id = n.id LEFT JOIN nodes a ON a.id = e.agent AND a.kind = 'agent'
	WHERE a.id IS NULL OR a.id = :agent ORDER BY w.key`

// forgetEpisodes deletes some episodes, and says how many: as many as own no more than goes into a part. Where one
// owns more, some of that goes first.
func (b *belongings) forgetEpisodes(ctx context.Context, g tombstones, agent int64) (count int, err error) {
	keys := db.JSONOf(b.episodes[:min(episodesAtOnce, len(b.episodes))])
	var own []int64
	passed, owned, bytes, rich := min(episodesAtOnce, len(b.episodes)), 0, int64(0), -1 // at which one owns more
	err = g.Search(ctx, nextEpisodes, func(r *db.Row) error {
		at, id, more := r.Int(), r.Integer(), r.Int()
		owned, bytes = owned+more, bytes+r.Integer()
		if (owned > mostInPart || bytes > bytesInPart) && len(own) > 0 {
			passed = min(passed, at)
			return nil
		}
		if more > mostInPart {
			rich = at
		}
		own = append(own, id)
		return nil
	}, db.Arg("keys", keys), db.Arg("agent", agent), db.Arg("most", mostInPart+1))
	if err != nil {
		return 0, err
	}
	if rich >= 0 {
		if err := g.add(memory.NodeID(memory.KindEpisode, b.episodes[rich])); err != nil { // before what is of it goes
			return 0, err
		}
		owned, err := ownedNodes(ctx, g.Conn, own[0], mostInPart)
		if err != nil {
			return 0, err
		}
		return 0, g.forgetOwned(owned)
	}
	if count, err = len(own), g.forgetOwners(ctx, own); err == nil {
		b.episodes = b.episodes[passed:]
	}
	return count, err
}

// forgetOwned deletes some of what an episode owns.
func (g tombstones) forgetOwned(owned []int64) error {
	if err := removeFromEpisode(g.Conn, owned); err != nil {
		return err
	}
	return g.forgetNodes(owned)
}

// forgetOwners deletes episodes of one agent with what they own.
func (g tombstones) forgetOwners(ctx context.Context, own []int64) error {
	list := db.JSONOf(own)
	if err := g.Exec(releaseSpans, db.Arg("own", list)); err != nil {
		return err
	}
	owned, err := db.AllWithin(ctx, g.Conn, ownEpisodes, (*db.Row).Integer, db.Arg("own", list))
	if err != nil {
		return err
	}
	profiles, err := learning.DiscountEpisodes(g.Conn, list)
	if err != nil {
		return err
	}
	return g.forgetNodes(slices.Concat(owned, profiles))
}

// forgetExecutions deletes executions, of one agent where that is given, that are no episodes, and says how many there were.
func (g tombstones) forgetExecutions(ctx context.Context, agent *string, keys []string) (count int, err error) {
	found, err := learning.ExecutionsByKey(ctx, g.Conn, keys)
	for damaged := (*store.Damaged)(nil); errors.As(err, &damaged); { // which goes first, or is summed up anew
		if err := discard(ctx, g.Conn, damaged); err != nil {
			return 0, err
		}
		found, err = learning.ExecutionsByKey(ctx, g.Conn, keys)
	}
	if err != nil {
		return 0, err
	}
	found = slices.DeleteFunc(found, func(e *memory.Execution) bool {
		return e == nil || agent != nil && e.AgentKey != *agent
	})
	slices.SortFunc(found, func(a, b *memory.Execution) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Key, b.Key)) })
	nodes := make([]int64, len(found))
	for i, e := range found {
		if nodes[i], err = graph.NodeID(g.Conn, memory.KindExecution, e.Key); err != nil {
			return 0, err
		}
	}
	empty, err := learning.Discount(g.Conn, found)
	if err != nil {
		return 0, err
	}
	return len(found), g.forgetNodes(append(nodes, empty...))
}
