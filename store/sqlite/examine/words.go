package examine

import (
	"fmt"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/words"
)

// said is what the word index should hold.
type said struct {
	entries map[words.Table]map[string]int64 // how many records have each
	stems   map[string]int64                 // by stemOf
	bags    map[int64]string
}

const wordsAnew = "Make the word index anew of the records."

// words compares the word indexes, and the bags and the counts of stems beside them, with what the records say.
func (e *examiner) words() (diagnosis, error) {
	wanted, err := e.saidWords()
	if err != nil {
		return diagnosis{}, err
	}
	entries := len(wanted.entries[words.Episodes]) + len(wanted.entries[words.Notes])
	d := diagnosis{found: fmt.Sprintf("%d words of %d records", entries, len(wanted.bags))}
	switch fault, err := e.wrongWords(&wanted); {
	case e.ctx.Err() != nil:
		return d, e.ctx.Err()
	case err != nil:
		d.fault, d.remedy, d.mend = "it cannot be read: "+err.Error(), wordsAnew, words.Rebuild
	case fault != "":
		d.fault, d.remedy, d.mend = fault+": searches miss records, or fail", wordsAnew, words.Rebuild
	}
	return d, nil
}

// wrongWords says what of the indexes and the counts is not as it should be; nothing where all is.
func (e *examiner) wrongWords(wanted *said) (string, error) {
	wrong := 0
	for table, entries := range wanted.entries {
		differ, err := e.differing(`SELECT term, doc FROM temp.entries_of_`+string(table), entries)
		if err != nil {
			return "", err
		}
		wrong += differ
	}
	miscounted, err := e.differing(`SELECT kind || ' ' || stem, records FROM stems`, wanted.stems)
	if err != nil {
		return "", err
	}
	bags, err := e.differingBags(wanted.bags)
	if err != nil || wrong+miscounted+bags == 0 {
		return "", err
	}
	return fmt.Sprintf("%d words, %d counts and the stems of %d records are not as the records say", wrong, miscounted, bags), nil
}

// saidWords gathers what the indexes and the counts should hold.
func (e *examiner) saidWords() (wanted said, err error) {
	wanted = said{map[words.Table]map[string]int64{words.Episodes: {}, words.Notes: {}}, map[string]int64{}, map[int64]string{}}
	nodes, err := words.AllNodes(e.conn)
	if err != nil {
		return wanted, err
	}
	for i, n := range nodes {
		if i%db.RowsPerCheck == 0 && e.ctx.Err() != nil {
			return wanted, e.ctx.Err()
		}
		texts, err := words.TextsOf(e.conn, n.Kind, n.ID)
		if err != nil {
			return wanted, err
		}
		if record := words.Analyse(n.Kind, texts...); !record.None() {
			wanted.add(n.ID, &record)
		}
	}
	return wanted, nil
}

func (s *said) add(id int64, record *words.Said) {
	s.bags[id] = record.Bag.String()
	for counted, times := range record.Counted() {
		s.stems[stemOf(record.Kind, counted)] += int64(times)
	}
	for _, entry := range record.Entries() {
		s.entries[words.TableOf(record.Kind)][entry]++
	}
}

// stemOf is a kind and a stem as one key.
func stemOf(kind memory.Kind, stem string) string { return string(kind) + " " + stem }

// differing counts what is not counted as it should be.
func (e *examiner) differing(read string, wanted map[string]int64) (differ int, err error) {
	matched := 0
	err = e.conn.Search(e.ctx, read, func(r *db.Row) error {
		want, known := wanted[r.Text()]
		if known {
			matched++
		}
		if count := r.Integer(); !known || count != want {
			differ++
		}
		return nil
	})
	return differ + len(wanted) - matched, err
}

// differingBags counts the records whose bags are not of what they say.
func (e *examiner) differingBags(wanted map[int64]string) (differ int, err error) {
	matched := 0
	err = e.conn.Search(e.ctx, `SELECT id, bag FROM bags`, func(r *db.Row) error {
		want, known := wanted[r.Integer()]
		if known {
			matched++
		}
		if r.Text() != want || !known {
			differ++
		}
		return nil
	})
	return differ + len(wanted) - matched, err
}
