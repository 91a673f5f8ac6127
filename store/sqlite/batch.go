package sqlite

import (
	"encoding/json"
	"maps"
	"slices"

	"mneme/memory"
)

// batch is what a write of many records puts off until the last of them, and what it asks only once. It is lost
// with the write, where that fails.
type batch struct {
	stems    stemCounts
	profiles map[string]*profile // those that changed
	sums     map[int64]*sums     // by the episode whose aggregates change
	// waiting says whether any record waits for another, dead whether there are tombstones; nil where nobody asked.
	waiting, dead *bool
	graves        *graveyard
}

// together runs a write of many records.
func (c *conn) together(write func() error) error {
	c.batch = &batch{stems: stemCounts{}, profiles: map[string]*profile{}, sums: map[int64]*sums{}}
	defer func() { c.batch = nil }() // also when a panic goes through
	if err := write(); err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(c.batch.profiles)) {
		if err := c.batch.profiles[key].save(c); err != nil {
			return err
		}
	}
	for _, episode := range slices.Sorted(maps.Keys(c.batch.sums)) {
		if err := c.batch.sums[episode].write(c, episode); err != nil {
			return err
		}
	}
	return c.countStems()
}

// sums are what is added to the aggregates of an episode. Scores are halves, so that their sums are exact however
// often feedback comes and goes.
type sums struct {
	actions, feedback int
	score             float64
}

// count adds to an episode's aggregates, in a batch when that is at its end.
func (c *conn) count(episode int64, more sums) error {
	if c.batch == nil {
		return more.write(c, episode)
	}
	all := c.batch.sums[episode]
	if all == nil {
		all = &sums{}
		c.batch.sums[episode] = all
	}
	all.actions, all.feedback, all.score = all.actions+more.actions, all.feedback+more.feedback, all.score+more.score
	return nil
}

var (
	addActions  = `UPDATE episodes SET ` + added("canvas_action_count", "more") + ` WHERE id = :id`
	addFeedback = `UPDATE episodes SET ` + added("feedback_sum", "score") + `, ` + added("feedback_count", "more") + ` WHERE id = :id`
)

func (s *sums) write(c *conn, episode int64) error {
	if s.actions != 0 {
		if err := c.exec(addActions, arg("id", episode), arg("more", s.actions)); err != nil {
			return err
		}
	}
	if s.feedback == 0 && s.score == 0 {
		return nil
	}
	return c.exec(addFeedback, arg("id", episode), arg("score", s.score), arg("more", s.feedback))
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
