package sqlite

import (
	"encoding/json"
	"maps"
	"slices"

	"mneme/memory"
	"mneme/store/linking"
)

// batch is what a write of many records puts off until the last of them, and what it asks only once. It is lost
// with the write, where that fails.
type batch struct {
	stems    stemCounts
	profiles map[string]*profile  // those that changed
	moves    linking.Moves[int64] // what episodes are to count of
	// waiting says whether any record waits for another, dead whether there are tombstones; nil where nobody asked.
	waiting, anyTombstones *bool
	tombstones             *tombstones
}

// together runs a write of many records.
func (c *conn) together(write func() error) error {
	c.batch = &batch{stems: stemCounts{}, profiles: map[string]*profile{}}
	defer func() { c.batch = nil }() // also when a panic goes through
	if err := write(); err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(c.batch.profiles)) {
		if err := c.batch.profiles[key].save(c); err != nil {
			return err
		}
	}
	if err := c.add(&c.batch.moves); err != nil {
		return err
	}
	return c.countStems()
}

// count adds what moves to the aggregates of episodes, in a batch when that is at its end.
func (c *conn) count(move func(*linking.Moves[int64])) error {
	if c.batch != nil {
		move(&c.batch.moves)
		return nil
	}
	var moves linking.Moves[int64]
	move(&moves)
	return c.add(&moves)
}

var (
	addActions  = `UPDATE episodes SET ` + added("canvas_action_count", "more") + ` WHERE id = :id`
	addFeedback = `UPDATE episodes SET ` + added("feedback_sum", "score") + `, ` + added("feedback_count", "more") + ` WHERE id = :id`
)

func (c *conn) add(moves *linking.Moves[int64]) error {
	for episode, sums := range moves.Sums() {
		if sums.Actions != 0 {
			if err := c.exec(addActions, arg("id", episode), arg("more", sums.Actions)); err != nil {
				return err
			}
		}
		if sums.Feedback == 0 && sums.Score == 0 {
			continue
		}
		if err := c.exec(addFeedback, arg("id", episode), arg("score", sums.Score), arg("more", sums.Feedback)); err != nil {
			return err
		}
	}
	return nil
}

// profileOf is openProfile for a profile that keepProfile takes.
func (c *conn) profileOf(e *memory.Execution) (*profile, error) {
	if c.batch != nil {
		if p := c.batch.profiles[memory.ProfileKey(e.AgentKey, e.TaskType)]; p != nil {
			return p, nil
		}
	}
	return openProfile(c, e.AgentKey, e.TaskType, e.At)
}

// keepProfile saves a profile, in a batch when that is at its end.
func (c *conn) keepProfile(p *profile) error {
	if c.batch == nil {
		return p.save(c)
	}
	c.batch.profiles[memory.ProfileKey(p.AgentKey, p.TaskType)] = p
	return nil
}

// anyWaits says whether any record may wait for another.
func (c *conn) anyWaits() (bool, error) {
	if c.batch == nil {
		return true, nil
	}
	return c.askOnce(&c.batch.waiting, `SELECT 1 FROM waiting LIMIT 1`)
}

// nowWaits notes that one does.
func (c *conn) nowWaits() {
	if c.batch != nil {
		c.batch.waiting = new(true)
	}
}

// askOnce says whether a query has a row, the first time by asking.
func (c *conn) askOnce(known **bool, sql string) (bool, error) {
	if *known == nil {
		has, err := c.one(sql, func(*row) {})
		if err != nil {
			return false, err
		}
		*known = &has
	}
	return **known, nil
}

// addStems counts the stems of a record.
func (c *conn) addStems(words *indexed) error {
	if c.batch != nil {
		c.batch.stems.add(words)
		return nil
	}
	counts := stemCounts{}
	counts.add(words)
	return counts.write(c, 1)
}

// countStems writes what a batch has counted so far.
func (c *conn) countStems() error {
	if c.batch == nil {
		return nil
	}
	counted := c.batch.stems
	c.batch.stems = stemCounts{}
	return counted.write(c, 1)
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

// write adds the counts, so many times each, to what is counted.
func (s stemCounts) write(c *conn, times int) error {
	const count = `INSERT INTO stems (kind, stem, records) SELECT :kind, value ->> 0, :times * (value ->> 1) FROM json_each(:counts) WHERE true
		ON CONFLICT DO UPDATE SET records = records + excluded.records`
	for kind, counts := range s {
		list, err := counted(counts)
		if err != nil {
			return err
		}
		if err := c.exec(count, arg("kind", string(kind)), arg("counts", list), arg("times", times)); err != nil {
			return err
		}
	}
	return nil
}

// subtract takes the counts from what is counted, and forgets the stems that no record has any more.
func (s stemCounts) subtract(c *conn) error {
	const forget = `DELETE FROM stems WHERE records <= 0 AND kind = :kind AND stem IN (SELECT value ->> 0 FROM json_each(:counts))`
	if err := c.countStems(); err != nil {
		return err
	}
	if err := s.write(c, -1); err != nil {
		return err
	}
	for kind, counts := range s {
		list, err := counted(counts)
		if err != nil {
			return err
		}
		if err := c.exec(forget, arg("kind", string(kind)), arg("counts", list)); err != nil {
			return err
		}
	}
	return nil
}

// counted writes counts for json_each, in the order in which they are kept.
func counted(counts map[string]int) (string, error) {
	pairs := make([][2]any, 0, len(counts))
	for _, stem := range slices.Sorted(maps.Keys(counts)) {
		pairs = append(pairs, [2]any{stem, counts[stem]})
	}
	list, err := json.Marshal(pairs)
	return string(list), err
}
