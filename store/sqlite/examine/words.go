package examine

import (
	"fmt"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/words"
)

// tally is how many records an entry of a word index is of, and how often it stands there.
type tally struct{ records, times int64 }

// tallies are those of one word index: by entry, and how many entries each column of a record has.
type tallies struct {
	entries map[string]tally
	lengths map[int64][]int64
}

func newTallies() *tallies { return &tallies{map[string]tally{}, map[int64][]int64{}} }

const wordsAnew = "Make the word index anew of the records."

// words compares the word indexes, and the counts of stems beside them, with what the records say.
func (e *examiner) words() (diagnosis, error) {
	indexes := map[*words.Table]*tallies{words.Episodes: newTallies(), words.Notes: newTallies()}
	stems := map[string]int64{}
	records, err := e.saidWords(indexes, stems)
	if err != nil {
		return diagnosis{}, err
	}
	said := len(indexes[words.Episodes].entries) + len(indexes[words.Notes].entries)
	d := diagnosis{found: fmt.Sprintf("%d words of %d records", said, records)}
	switch fault, err := e.wrongWords(indexes, stems); {
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
func (e *examiner) wrongWords(indexes map[*words.Table]*tallies, stems map[string]int64) (string, error) {
	wrong, lengths := 0, 0
	for index, table := range map[*words.Table]string{words.Episodes: "words", words.Notes: "notes"} {
		differ, err := e.differingEntries(table, indexes[index].entries)
		if err != nil {
			return "", err
		}
		wrong += differ
		if differ, err = e.differingLengths(table, indexes[index].lengths, len(index.Columns)); err != nil {
			return "", err
		}
		lengths += differ
	}
	miscounted, err := e.differingStems(stems)
	switch {
	case err != nil:
		return "", err
	case wrong+miscounted > 0:
		return fmt.Sprintf("%d words are not as the records say, and %d are miscounted", wrong, miscounted), nil
	case lengths > 0:
		return fmt.Sprintf("%d lengths of records, or their sums, are not as the records say", lengths), nil
	}
	return "", nil
}

// differingLengths counts the records whose lengths an index keeps otherwise than they are, and their sums.
func (e *examiner) differingLengths(table string, wanted map[int64][]int64, columns int) (differ int, err error) {
	matched := 0
	sums := make([]int64, 1+columns)
	sums[0] = int64(len(wanted))
	for _, lengths := range wanted {
		for column, length := range lengths[:columns] {
			sums[1+column] += length
		}
	}
	err = e.conn.Search(e.ctx, `SELECT id, sz FROM `+table+`_docsize`, func(r *db.Row) error {
		want, known := wanted[r.Integer()]
		if known {
			matched++
		}
		if !known || !slices.Equal(varints(r.Blob(), columns), want[:columns]) {
			differ++
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	summed := 0
	err = e.conn.Search(e.ctx, `SELECT block FROM `+table+`_data WHERE id = 1`, func(r *db.Row) error {
		if slices.Equal(varints(r.Blob(), len(sums)), sums) {
			summed++
		}
		return nil
	})
	return differ + len(wanted) - matched + 1 - summed, err
}

// varints reads numbers as SQLite keeps them, 0 for those that are not there.
func varints(bytes []byte, most int) []int64 {
	numbers := make([]int64, most)
	at := 0
	for _, b := range bytes {
		if at == most {
			return nil
		}
		numbers[at] = numbers[at]<<7 | int64(b&0x7f)
		if b < 0x80 {
			at++
		}
	}
	return numbers
}

// saidWords gathers what the indexes and the counts should hold, and answers of how many records.
func (e *examiner) saidWords(indexes map[*words.Table]*tallies, stems map[string]int64) (records int, err error) {
	nodes, err := words.AllNodes(e.conn)
	if err != nil {
		return 0, err
	}
	for i, n := range nodes {
		if i%db.RowsPerCheck == 0 && e.ctx.Err() != nil {
			return 0, e.ctx.Err()
		}
		said, err := words.Of(e.conn, n.Kind, n.ID)
		if err != nil {
			return 0, err
		}
		if said.None() {
			continue
		}
		records++
		indexes[words.TableOf(n.Kind)].add(n.ID, &said, stems)
	}
	return records, nil
}

func (t *tallies) add(id int64, said *words.Indexed, stems map[string]int64) {
	seen := map[string]bool{}
	lengths := make([]int64, len(said.Stems))
	stems[stemOf(said.Kind, "")]++
	for column := range said.Stems {
		for entry := range strings.FieldsSeq(said.Entries(column)) {
			lengths[column]++
			sum := t.entries[entry]
			sum.times++
			if !seen[entry] {
				seen[entry] = true
				sum.records++
			}
			t.entries[entry] = sum
		}
	}
	t.lengths[id] = lengths
	for entry := range seen {
		stems[stemOf(said.Kind, strings.TrimPrefix(entry, entryPrefix(said.Kind)))]++
	}
}

func entryPrefix(kind memory.Kind) string { return words.Entry(kind, "") }

// stemOf is a kind and a stem as one key.
func stemOf(kind memory.Kind, stem string) string { return string(kind) + " " + stem }

// differingEntries counts the entries of an index that are not as they should be.
func (e *examiner) differingEntries(table string, wanted map[string]tally) (differ int, err error) {
	matched := 0
	err = e.conn.Search(e.ctx, `SELECT term, doc, cnt FROM temp.entries_of_`+table, func(r *db.Row) error {
		if want, known := wanted[r.Text()]; known {
			matched++
			if want != (tally{r.Integer(), r.Integer()}) {
				differ++
			}
			return nil
		}
		differ++
		return nil
	})
	return differ + len(wanted) - matched, err
}

// differingStems counts the stems that are counted wrongly.
func (e *examiner) differingStems(wanted map[string]int64) (differ int, err error) {
	matched := 0
	err = e.conn.Search(e.ctx, `SELECT kind, stem, records FROM stems`, func(r *db.Row) error {
		want, known := wanted[stemOf(memory.Kind(r.Text()), r.Text())]
		if known {
			matched++
		}
		if want != r.Integer() {
			differ++
		}
		return nil
	})
	return differ + len(wanted) - matched, err
}
