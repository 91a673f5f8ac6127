package sqlite

import "mneme/memory"

// deleteNodes removes nodes with all that hangs on them, and the sessions that are empty then.
func deleteNodes(c *conn, nodes []int64) error {
	list, err := jsonOf(nodes)
	if err != nil {
		return err
	}
	if err := forgetWords(c, list); err != nil {
		return err
	}
	var sessions []int64
	const left = `SELECT DISTINCT target FROM edges WHERE source IN (SELECT value FROM json_each(:nodes)) AND type = 'IN_SESSION'`
	err = c.query(left, func(r *row) error {
		sessions = append(sessions, r.integer())
		return nil
	}, arg("nodes", list))
	if err != nil {
		return err
	}
	if err := c.exec(`DELETE FROM nodes WHERE id IN (SELECT value FROM json_each(:nodes))`, arg("nodes", list)); err != nil {
		return err
	}
	if list, err = jsonOf(sessions); err != nil || len(sessions) == 0 {
		return err
	}
	const empty = `DELETE FROM nodes WHERE id IN (SELECT value FROM json_each(:sessions))
		AND NOT EXISTS (SELECT 1 FROM edges WHERE target = nodes.id AND type = 'IN_SESSION')
		AND NOT EXISTS (SELECT 1 FROM episodes WHERE session = nodes.id) AND NOT EXISTS (SELECT 1 FROM observations WHERE session = nodes.id)`
	return c.exec(empty, arg("sessions", list))
}

// forgetWords takes nodes out of the word indexes, in the order of their ids and all of an index together: an
// index keeps in memory what comes in order, and writes it out at anything else.
func forgetWords(c *conn, nodes string) error {
	var found []node
	const find = `SELECT id, kind FROM nodes WHERE id IN (SELECT value FROM json_each(:nodes)) ORDER BY kind = 'episode', id`
	err := c.query(find, func(r *row) error {
		found = append(found, node{r.integer(), memory.Kind(r.text())})
		return nil
	}, arg("nodes", nodes))
	if err != nil {
		return err
	}
	counts := stemCounts{}
	for _, n := range found {
		words, err := indexedWords(c, n.kind, n.id)
		if err != nil {
			return err
		}
		if words.none() {
			continue
		}
		if err := changeWords(c, wordsOf(words.kind).remove, n.id, words); err != nil {
			return err
		}
		counts.add(&words)
	}
	return counts.subtract(c)
}
