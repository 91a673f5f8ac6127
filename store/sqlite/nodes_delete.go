package sqlite

import (
	"encoding/json"
	"maps"
	"slices"

	"mneme/memory"
)

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
		AND NOT EXISTS (SELECT 1 FROM edges WHERE target = nodes.id AND type = 'IN_SESSION')`
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

// stemCounts are how many records of a kind each stem occurs in.
type stemCounts map[memory.Kind]map[string]int

func (s stemCounts) add(words *indexed) {
	if s[words.kind] == nil {
		s[words.kind] = map[string]int{}
	}
	for _, stem := range words.once() {
		s[words.kind][stem]++
	}
}

// subtract takes the counts from what is counted, and forgets the stems that no record has any more.
func (s stemCounts) subtract(c *conn) error {
	const (
		count = `INSERT INTO stems (kind, stem, records) SELECT :kind, value ->> 0, -(value ->> 1) FROM json_each(:counts) WHERE true
			ON CONFLICT DO UPDATE SET records = records + excluded.records`
		forget = `DELETE FROM stems WHERE records <= 0 AND kind = :kind AND stem IN (SELECT value ->> 0 FROM json_each(:counts))`
	)
	for kind, counts := range s {
		pairs := make([][2]any, 0, len(counts))
		for _, stem := range slices.Sorted(maps.Keys(counts)) {
			pairs = append(pairs, [2]any{stem, counts[stem]})
		}
		list, err := json.Marshal(pairs)
		if err != nil {
			return err
		}
		for _, sql := range []string{count, forget} {
			if err := c.exec(sql, arg("kind", string(kind)), arg("counts", string(list))); err != nil {
				return err
			}
		}
	}
	return nil
}
