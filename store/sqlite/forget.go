package sqlite

import (
	"context"

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
// among 30,000 episodes; to only mark it, and let the scrub write the indexes anew without what is marked, costs
// 1 ms each and 25 µs for each record that there is. Until then all deletes mark: one that takes out at once what
// was written anew under a marked id would let the marked one be found again.
func rewriteWords(c *conn, many int, do func() error) error {
	const fewest, perRecord = 200, 300
	records := 0
	if _, err := c.one(`SELECT coalesce(sum(records), 0) FROM stems WHERE stem = ''`, func(r *row) { records = r.int() }); err != nil {
		return err
	}
	if many >= fewest && many >= records/perRecord {
		if err := markWords(c); err != nil {
			return err
		}
	}
	return do()
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
