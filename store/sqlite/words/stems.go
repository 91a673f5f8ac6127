package words

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"

	"mneme/memory"
	"mneme/store/sqlite/db"
)

// addStems counts the stems of a record.
func addStems(c *db.Conn, said *Said) error {
	if counts := db.Part[stemCounts](c); counts != nil {
		if *counts == nil {
			*counts = stemCounts{}
		}
		counts.add(said)
		return nil
	}
	counts := stemCounts{}
	counts.add(said)
	return counts.write(c, 1)
}

// CountStems writes what a batch has counted so far.
func CountStems(c *db.Conn) error {
	counts := db.Part[stemCounts](c)
	if counts == nil {
		return nil
	}
	counted := *counts
	*counts = nil
	return counted.write(c, 1)
}

// What is counted of the records of a kind beside their stems: how many there are, and how long their bags are together. No
// stem is written so.
const (
	records = ""
	lengths = " "
)

// stemCounts are how many records of a kind each stem occurs in.
type stemCounts map[memory.Kind]map[string]int

func (s stemCounts) add(said *Said) {
	if s[said.Kind] == nil {
		s[said.Kind] = map[string]int{}
	}
	for counted, times := range said.Counted() {
		s[said.Kind][counted] += times
	}
}

// Counted is what a record adds to the counts of its kind.
func (s *Said) Counted() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		if !yield(records, 1) || !yield(lengths, s.Bag.Length) {
			return
		}
		for stem := range s.Bag.Counts {
			if !yield(stem, 1) {
				return
			}
		}
	}
}

// write adds the counts, so many times each, to what is counted.
func (s stemCounts) write(c *db.Conn, times int) error {
	const count = `INSERT INTO stems (kind, stem, records) SELECT :kind, value ->> 0, :times * (value ->> 1) FROM json_each(:counts) WHERE true
		ON CONFLICT DO UPDATE SET records = records + excluded.records`
	for kind, counts := range s {
		list, err := counted(counts)
		if err != nil {
			return err
		}
		if err := c.Exec(count, db.Arg("kind", string(kind)), db.Arg("counts", list), db.Arg("times", times)); err != nil {
			return err
		}
	}
	return nil
}

// subtract takes the counts from what is counted, and forgets the stems that no record has any more.
func (s stemCounts) subtract(c *db.Conn) error {
	const forget = `DELETE FROM stems WHERE records <= 0 AND kind = :kind AND stem IN (SELECT value ->> 0 FROM json_each(:counts))`
	if err := CountStems(c); err != nil {
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
		if err := c.Exec(forget, db.Arg("kind", string(kind)), db.Arg("counts", list)); err != nil {
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
