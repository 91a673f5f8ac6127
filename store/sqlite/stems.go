package sqlite

import (
	"encoding/json"
	"maps"
	"slices"

	"mneme/memory"
)

// addStems counts the stems of a record.
func addStems(c *conn, words *indexed) error {
	if counts := partOf[stemCounts](c); counts != nil {
		if *counts == nil {
			*counts = stemCounts{}
		}
		counts.add(words)
		return nil
	}
	counts := stemCounts{}
	counts.add(words)
	return counts.write(c, 1)
}

// countStems writes what a batch has counted so far.
func countStems(c *conn) error {
	counts := partOf[stemCounts](c)
	if counts == nil {
		return nil
	}
	counted := *counts
	*counts = nil
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
	if err := countStems(c); err != nil {
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
