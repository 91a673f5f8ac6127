package examine

import (
	"fmt"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/words"
)

// said is what the word indexes, and the tables beside them, should hold: numbers by what they are of.
type said map[string]map[string]int64

// saidIn reads what each of them holds.
var saidIn = map[string]string{
	string(words.Episodes): `SELECT term, doc FROM temp.entries_of_words`,
	string(words.Notes):    `SELECT term, doc FROM temp.entries_of_notes`,
	"stems":                `SELECT kind || ' ' || stem, records FROM stems`,
	"bags":                 `SELECT id || ' ' || bag, 1 FROM bags`,
}

// words compares the word indexes, and the bags and the counts of stems beside them, with what the records say.
func (e *examiner) words() (diagnosis, error) {
	wanted, err := e.said()
	if err != nil {
		return diagnosis{}, err
	}
	d := diagnosis{found: fmt.Sprintf("%d words of %d records", len(wanted[string(words.Episodes)])+len(wanted[string(words.Notes)]), len(wanted["bags"]))}
	wrong := 0
	for table, entries := range wanted {
		differ, err := e.differing(saidIn[table], entries)
		if e.ctx.Err() != nil {
			return d, e.ctx.Err()
		} else if err != nil {
			d.fault, d.remedy = "it cannot be read: "+err.Error(), store.RemedyRebuild
			return d, nil //nolint:nilerr // that it cannot be read was found
		}
		wrong += differ
	}
	if wrong > 0 {
		d.fault, d.remedy = fmt.Sprintf("%d entries are not as the records say: searches miss records, or fail", wrong), store.RemedyRebuild
	}
	return d, nil
}

// said gathers what the indexes and the tables should hold.
func (e *examiner) said() (said, error) {
	wanted := said{}
	for table := range saidIn {
		wanted[table] = map[string]int64{}
	}
	nodes, err := words.AllNodes(e.conn)
	for i, n := range nodes {
		if i%db.RowsPerCheck == 0 && e.ctx.Err() != nil {
			return nil, e.ctx.Err()
		}
		texts, err := words.TextsOf(e.conn, n.Kind, n.ID)
		if err != nil {
			return nil, err
		}
		record := words.Analyse(n.Kind, texts...)
		if record.None() {
			continue
		}
		wanted["bags"][fmt.Sprintf("%d %s", n.ID, record.Bag.String())] = 1
		for counted, times := range record.Counted() {
			wanted["stems"][string(n.Kind)+" "+counted] += int64(times)
		}
		for _, entry := range record.Entries() {
			wanted[string(words.TableOf(n.Kind))][entry]++
		}
	}
	return wanted, err
}

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
