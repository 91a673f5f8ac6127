package sqlite

import (
	"context"
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
	traces, err := t.tracesOf(ctx, key)
	if err != nil {
		return 0, err
	}
	if err := t.file.Write(ctx, func(tx *db.Tx) error { return forgetName(tx, key, len(traces.waiting)+len(traces.late) > 0) }); err != nil {
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
	return t.file.InParts(ctx, func(tx *db.Tx) (gone int, done bool, err error) {
		gone, done = doomed.forgetPart(tombstonesOf(tx))
		return gone, done, nil
	})
}

// forgetName leaves an agent's tombstone and takes its name away.
func forgetName(tx *db.Tx, key string, held bool) error {
	agent := graph.NodeID(tx, memory.KindAgent, key)
	if agent == 0 && !held {
		return store.ErrNotFound
	}
	tx.Exec(`UPDATE agents SET name = :key WHERE id = :agent`, db.Arg("key", key), db.Arg("agent", agent))
	tombstonesOf(tx).add(memory.NodeID(memory.KindAgent, key))
	return nil
}

// agentTraces are traces that name an agent: waiting are no episodes yet, late are those that are.
type agentTraces struct{ waiting, late []string }

// tracesOf finds the held traces that name an agent.
func (t *Tenant) tracesOf(ctx context.Context, agent string) (traces agentTraces, err error) {
	const find = `SELECT trace, EXISTS (SELECT 1 FROM nodes WHERE kind = 'episode' AND key = trace), span, data FROM spans ORDER BY trace`
	found := store.NewAgentTraces(agent)
	err = t.each(ctx, find, func(r *db.Row) {
		trace, recorded := r.Text(), r.Bool()
		held := readHeldSpan(r, trace)
		if r.Err == nil {
			found.Add(&held, recorded)
			return
		}
		data, _ := r.Named("data").(string)
		found.AddUnread(trace, []byte(data), recorded)
		r.Err = nil
	})
	traces.waiting, traces.late = found.Found()
	return traces, err
}

// forgetTraces deletes what is held of traces that name an agent. Those that are no episodes by now never become any.
func (t *Tenant) forgetTraces(ctx context.Context, traces agentTraces) error {
	all := slices.Concat(traces.waiting, traces.late)
	passed := 0
	for part := range slices.Chunk(all, 10) {
		err := t.file.Erase(ctx, func(tx *db.Tx) error {
			for i, trace := range part {
				if passed+i < len(traces.waiting) && graph.NodeID(tx, memory.KindEpisode, trace) == 0 {
					tombstonesOf(tx).add(memory.NodeID(memory.KindEpisode, trace))
				}
				tx.Exec(`DELETE FROM spans WHERE trace = :trace`, db.Arg("trace", trace))
			}
			return nil
		})
		if passed += len(part); err != nil {
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
	doomedExecutions = `SELECT n.key FROM nodes p JOIN edges o ON o.target = p.id AND o.type = 'OF' JOIN nodes n ON n.id = o.source
		WHERE ` + itsProfiles + ` AND n.key NOT GLOB 'episode:*' ORDER BY o.at`
	// The keys of an agent's profiles p begin with that of the one for no type.
	itsProfiles        = `p.kind = 'learningProfile' AND p.key >= :profile AND substr(p.key, 1, length(:profile)) = :profile`
	doomedObservations = `SELECT key FROM nodes WHERE kind = 'observation' AND substr(key, 1, length(:agent)) = :agent`
)

// belongings finds what belongs to an agent.
func (t *Tenant) belongings(ctx context.Context, agent string) (*belongings, error) {
	doomed := &belongings{agent: agent}
	return doomed, t.file.Snapshot(ctx, func(c *db.Conn) (err error) {
		if doomed.episodes, err = db.AllWithin(ctx, c, doomedEpisodes, (*db.Row).Text, db.Arg("agent", agent)); err != nil {
			return err
		}
		doomed.executions, err = db.AllWithin(ctx, c, doomedExecutions, (*db.Row).Text, db.Arg("profile", memory.ProfileKey(agent, "")))
		return err
	})
}

// forgetPart deletes the next part: some episodes, else some executions that are no episodes, some of what sums
// them up, and at last the agent, where nothing else has come to it.
func (b *belongings) forgetPart(g tombstones) (episodes int, done bool) {
	switch {
	case len(b.episodes) > 0:
		passed, gone := g.forgetEpisodes(b.episodes, &b.agent)
		b.episodes = b.episodes[passed:]
		return gone, false
	case len(b.executions) > 0:
		g.forgetExecutions(memory.ProfileKey(b.agent, ""), next(&b.executions))
	case !b.summed: // who would still sum up its episodes meets their tombstones
		b.summed = true
		g.Each(doomedObservations, func(r *db.Row) { b.observations = append(b.observations, r.Text()) }, db.Arg("agent", consolidation.KeyPrefix(b.agent)))
	case len(b.observations) > 0:
		g.forgetNodes(g.nodesOf(memory.KindObservation, next(&b.observations)))
	default:
		g.forgetIdle(b.agent)
		return 0, true
	}
	return 0, false
}

// next takes the next keys of a list, as many as go into a part.
func next[T any](keys *[]T) []T {
	part := (*keys)[:min(maxInPart, len(*keys))]
	*keys = (*keys)[len(part):]
	return part
}

// nodesOf finds the records of a kind that are there.
func (g tombstones) nodesOf(kind memory.Kind, keys []string) []int64 {
	const find = `SELECT n.id FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = :kind AND n.key = w.value`
	return g.IDs(find, db.List("keys", keys), db.Arg("kind", string(kind)))
}

// forgetIdle deletes an agent that has nothing. What its profiles still count of episodes that are gone goes first.
func (g tombstones) forgetIdle(key string) {
	agent := graph.NodeID(g.Tx, memory.KindAgent, key)
	var left []string
	g.Each(`SELECT p.key FROM nodes p WHERE `+itsProfiles, func(r *db.Row) { left = append(left, r.Text()) }, db.Arg("profile", memory.ProfileKey(key, "")))
	for _, profile := range left {
		learning.SumUp(g.Tx, profile, true)
	}
	for _, table := range []string{"episodes", "canvases", "profiles"} { // what is no record any more
		const remove = `DELETE FROM %s AS x WHERE x.agent = :agent AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = x.id)`
		g.Exec(fmt.Sprintf(remove, table), db.Arg("agent", agent))
	}
	const busy = `SELECT 1 FROM episodes WHERE agent = :agent UNION ALL SELECT 1 FROM profiles WHERE agent = :agent`
	if !g.Has(busy, db.Arg("agent", agent)) && agent != 0 {
		g.forgetNodes([]int64{agent})
	}
}

// forgetExecutions deletes executions that are no episodes, of profiles whose keys begin so, and says how many there were.
func (g tombstones) forgetExecutions(of string, keys []string) int {
	const find = `SELECT n.key FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'execution' AND n.key = w.value
		LEFT JOIN edges o ON o.source = n.id AND o.type = 'OF' LEFT JOIN nodes p ON p.id = o.target
		WHERE p.id IS NULL OR ` + itsProfiles + `
		ORDER BY o.at`
	var found []string
	g.Each(find, func(r *db.Row) { found = append(found, r.Text()) }, db.List("keys", keys), db.Arg("profile", of))
	for _, key := range found {
		g.add(memory.NodeID(memory.KindExecution, key))
	}
	learning.Delete(g.Tx, found)
	return len(found)
}
