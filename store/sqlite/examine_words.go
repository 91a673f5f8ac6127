package sqlite

import (
	"fmt"
	"strings"

	"mneme/memory"
)

// tally is how many records an entry of a word index is of, and how often it stands there.
type tally struct{ records, times int64 }

// tallies are those of one word index, by entry.
type tallies map[string]tally

// words compares the word indexes, and the counts of stems beside them, with what the records say.
func (e *examiner) words() (diagnosis, error) {
	indexes := map[*wordIndex]tallies{episodeWords: {}, noteWords: {}}
	stems := map[string]int64{}
	records, err := e.saidWords(indexes, stems)
	if err != nil {
		return diagnosis{}, err
	}
	said := len(indexes[episodeWords]) + len(indexes[noteWords])
	wrong := 0
	for index, table := range map[*wordIndex]string{episodeWords: "words", noteWords: "notes"} {
		differ, err := e.differingEntries(table, indexes[index])
		if err != nil {
			return diagnosis{}, err
		}
		wrong += differ
	}
	miscounted, err := e.differingStems(stems)
	if err != nil {
		return diagnosis{}, err
	}
	d := diagnosis{found: fmt.Sprintf("%d words of %d records", said, records)}
	if wrong+miscounted > 0 {
		d.fault = fmt.Sprintf("%d words are not as the records say, and %d are miscounted: searches miss records, or fail", wrong, miscounted)
		d.remedy = "Make the word index anew of the records."
		d.mend = rebuildWords
	}
	return d, nil
}

// saidWords gathers what the indexes and the counts should hold, and answers of how many records.
func (e *examiner) saidWords(indexes map[*wordIndex]tallies, stems map[string]int64) (records int, err error) {
	nodes, err := allNodes(e.conn)
	if err != nil {
		return 0, err
	}
	for i, n := range nodes {
		if i%rowsPerCheck == 0 && e.ctx.Err() != nil {
			return 0, e.ctx.Err()
		}
		words, err := indexedWords(e.conn, n.kind, n.id)
		if err != nil {
			return 0, err
		}
		if words.none() {
			continue
		}
		records++
		indexes[wordsOf(n.kind)].add(&words, stems)
	}
	return records, nil
}

func (t tallies) add(words *indexed, stems map[string]int64) {
	seen := map[string]bool{}
	stems[stemOf(words.kind, "")]++
	for column := range words.stems {
		for entry := range strings.FieldsSeq(words.entries(column)) {
			sum := t[entry]
			sum.times++
			if !seen[entry] {
				seen[entry] = true
				sum.records++
			}
			t[entry] = sum
		}
	}
	for entry := range seen {
		stems[stemOf(words.kind, strings.TrimPrefix(entry, entryPrefix(words.kind)))]++
	}
}

func entryPrefix(kind memory.Kind) string { return entry(kind, "") }

// stemOf is a kind and a stem as one key.
func stemOf(kind memory.Kind, stem string) string { return string(kind) + " " + stem }

// differingEntries counts the entries of an index that are not as they should be.
func (e *examiner) differingEntries(table string, wanted tallies) (differ int, err error) {
	matched := 0
	err = e.conn.search(e.ctx, `SELECT term, doc, cnt FROM temp.entries_of_`+table, func(r *row) error {
		if want, known := wanted[r.text()]; known {
			matched++
			if want != (tally{r.integer(), r.integer()}) {
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
	err = e.conn.search(e.ctx, `SELECT kind, stem, records FROM stems`, func(r *row) error {
		want, known := wanted[stemOf(memory.Kind(r.text()), r.text())]
		if known {
			matched++
		}
		if want != r.integer() {
			differ++
		}
		return nil
	})
	return differ + len(wanted) - matched, err
}
