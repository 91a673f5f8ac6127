package sqlite

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/store"
)

// bury deletes for good: what it deletes is in no file afterwards, and a tombstone stays of it.
func (t *Tenant) bury(ctx context.Context, do func(graveyard) error) error {
	if _, err := t.InputKey(ctx); err != nil { // tombstones are made with it
		return err
	}
	return t.erase(ctx, func(c *conn) error {
		g, err := graves(c)
		if err != nil {
			return err
		}
		return do(g)
	})
}

// ownedByAgent finds what goes with an agent, the profiles after their executions, of which they are made.
const ownedByAgent = `WITH own (id) AS (SELECT id FROM episodes WHERE agent = :agent),
		learned (id) AS (SELECT id FROM profiles WHERE agent = :agent)
	SELECT id FROM own UNION ALL
	SELECT e.target FROM own JOIN edges e ON e.source = own.id AND e.type IN ('PRESENTED', 'RECEIVED') UNION ALL
	SELECT e.source FROM learned JOIN edges e ON e.target = learned.id AND e.type = 'OF' UNION ALL
	SELECT id FROM learned`

// DeleteAgent deletes an agent with its episodes, all that they own, and what is held of further ones.
func (t *Tenant) DeleteAgent(ctx context.Context, key string) (episodes int, err error) {
	err = t.bury(ctx, func(g graveyard) error {
		agent, err := nodeID(g.conn, memory.KindAgent, key)
		if err != nil {
			return err
		}
		traces, err := g.buryHeld(ctx, key)
		if err != nil {
			return err
		}
		switch {
		case agent != 0:
			episodes, err = g.buryAgent(ctx, agent, key)
		case traces == 0:
			return store.ErrNotFound
		default:
			err = g.bury(memory.NodeID(memory.KindAgent, key))
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	return episodes, nil
}

func (g graveyard) buryAgent(ctx context.Context, agent int64, key string) (episodes int, err error) {
	owned, err := idsOf(ctx, g.conn, ownedByAgent, "agent", agent)
	if err != nil {
		return 0, err
	}
	sums, err := idsOf(ctx, g.conn, `SELECT id FROM nodes WHERE kind = 'observation' AND substr(key, 1, length(:prefix)) = :prefix`,
		"prefix", memory.ConsolidatedOf(key))
	if err != nil {
		return 0, err
	}
	const release = `DELETE FROM spans WHERE trace IN (SELECT n.key FROM episodes e JOIN nodes n ON n.id = e.id WHERE e.agent = :agent)`
	if err := g.exec(release, arg("agent", agent)); err != nil {
		return 0, err
	}
	const count = `SELECT count(*) FROM episodes WHERE agent = :agent`
	if _, err := g.one(count, func(r *row) { episodes = r.int() }, arg("agent", agent)); err != nil {
		return 0, err
	}
	return episodes, g.buryNodes(slices.Concat(sums, owned, []int64{agent})) // the agent last: the others refer to it
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

// DeleteFeedback deletes a feedback.
func (t *Tenant) DeleteFeedback(ctx context.Context, key string) error {
	return t.bury(ctx, func(g graveyard) error {
		feedback, err := nodeID(g.conn, memory.KindFeedback, key)
		if err != nil {
			return err
		}
		if feedback == 0 {
			return store.ErrNotFound
		}
		return g.buryFeedback([]int64{feedback})
	})
}

// DeletePerson deletes what a person said.
func (t *Tenant) DeletePerson(ctx context.Context, person string) (count int, err error) {
	err = t.bury(ctx, func(g graveyard) error {
		feedback, err := idsOf(ctx, g.conn, `SELECT id FROM feedback WHERE created_by = :person`, "person", person)
		if err != nil {
			return err
		}
		corrections, err := idsOf(ctx, g.conn, `SELECT id FROM corrections WHERE created_by = :person`, "person", person)
		if err != nil {
			return err
		}
		count = len(feedback) + len(corrections)
		if err := g.buryFeedback(feedback); err != nil {
			return err
		}
		if err := g.buryNodes(corrections); err != nil {
			return err
		}
		labelled, err := idsOf(ctx, g.conn, `SELECT id FROM verdicts WHERE labelled_by = :person`, "person", person)
		if err != nil {
			return err
		}
		count += len(labelled)
		const unlabel = `UPDATE verdicts SET label = NULL, labelled_by = NULL WHERE labelled_by = :person`
		if err := g.exec(unlabel, arg("person", person)); err != nil {
			return err
		}
		return g.bury(memory.NodeID(memory.KindPerson, person))
	})
	if err != nil {
		return 0, err
	}
	return count, nil
}

// buryFeedback takes feedback out of its episodes' aggregates and deletes it.
func (g graveyard) buryFeedback(feedback []int64) error {
	for _, id := range feedback {
		if _, err := moveFeedback(g.conn, id, 0); err != nil {
			return err
		}
	}
	return g.buryNodes(feedback)
}

// mostBuried bounds how many nodes one statement deletes.
const mostBuried = 1000

// buryNodes deletes nodes in order and leaves tombstones.
func (g graveyard) buryNodes(nodes []int64) error {
	return rewriteWords(g.conn, len(nodes), func() error { return g.buryParts(nodes) })
}

// rewriteWords deletes many records from the word indexes. To take one out of them at once costs some 9 ms
// among 30,000 episodes; to only mark it, and write the indexes anew without what is marked, costs 1 ms each
// and 25 µs for each record that there is.
func rewriteWords(c *conn, many int, do func() error) error {
	const fewest, perRecord = 200, 300
	records := 0
	if _, err := c.one(`SELECT coalesce(sum(records), 0) FROM stems WHERE stem = ''`, func(r *row) { records = r.int() }); err != nil {
		return err
	}
	if many < fewest || many < records/perRecord {
		return do()
	}
	if err := c.script(`INSERT INTO words (words, rank) VALUES ('secure-delete', 0); INSERT INTO notes (notes, rank) VALUES ('secure-delete', 0)`); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	return c.script(`INSERT INTO words (words) VALUES ('optimize'); INSERT INTO notes (notes) VALUES ('optimize');
		INSERT INTO words (words, rank) VALUES ('secure-delete', 1); INSERT INTO notes (notes, rank) VALUES ('secure-delete', 1)`)
}

func (g graveyard) buryParts(nodes []int64) error {
	for len(nodes) > 0 {
		part := nodes[:min(mostBuried, len(nodes))]
		nodes = nodes[len(part):]
		list, err := jsonOf(part)
		if err != nil {
			return err
		}
		const find = `SELECT ref FROM nodes WHERE id IN (SELECT value FROM json_each(:nodes))
			AND kind <> 'learningProfile' AND ref NOT GLOB 'execution:episode:*'`
		err = g.query(find, func(r *row) error { return g.bury(r.text()) }, arg("nodes", list))
		if err != nil {
			return err
		}
		if err := deleteNodes(g.conn, part); err != nil {
			return err
		}
	}
	return nil
}

func idsOf(ctx context.Context, c *conn, sql, parameter string, value any) (found []int64, err error) {
	err = c.search(ctx, sql, func(r *row) error {
		found = append(found, r.integer())
		return nil
	}, arg(parameter, value))
	return found, err
}
