package words

import (
	"context"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store/lexical"
	"mneme/store/sqlite/db"
)

// Asked are the words that a query asks records of some kinds for.
type Asked struct {
	matching.Query
	// Kinds are those that are asked, in the order of memory.Kinds.
	Kinds []memory.Kind
	// Looked is how many of the words, the rarest, are looked for in the index.
	Looked   int
	averages map[memory.Kind]float64
	counts   map[memory.Kind]map[string]int // of the stems, and of all records and their lengths
}

// Ask chooses the words of a text. The index is asked for those of which it has not too many entries together: at
// least one, of which it may have more.
func Ask(c *db.Conn, kinds []memory.Kind, text string, mostEntries int) (*Asked, error) {
	terms := lexical.DistinctiveFirst(lexical.Considered(lexical.Terms(text)), nil)
	a := Asked{averages: map[memory.Kind]float64{}, counts: map[memory.Kind]map[string]int{}}
	all, total := 0, map[string]int{}
	for _, kind := range memory.Kinds {
		if len(matching.Texts(kind)) == 0 || !slices.Contains(kinds, kind) {
			continue
		}
		counts, err := frequencies(c, kind, terms)
		if err != nil {
			return nil, err
		}
		a.Kinds, a.counts[kind] = append(a.Kinds, kind), counts
		a.averages[kind] = matching.Collection{Records: counts[records], Length: counts[lengths]}.Average()
		all += counts[records]
		for stem, count := range counts {
			total[stem] += count
		}
	}
	asked := make([]matching.Word, len(terms))
	for i, term := range terms {
		asked[i] = matching.Word{Stem: term.Stem, Records: total[term.Stem]}
	}
	a.Query = matching.Choose(asked, all)
	entries := 0
	for _, stem := range a.Stems {
		if entries += total[stem]; a.Looked > 0 && entries > mostEntries {
			break
		}
		a.Looked++
	}
	return &a, nil
}

// Sought says whether a record has any of the words that are looked for in the index.
func (a *Asked) Sought(record matching.Document) bool {
	for word, count := range record.Counts {
		if word < a.Looked && count > 0 {
			return true
		}
	}
	return false
}

// frequencies reads in how many records of a kind the stems occur, how many there are, and their lengths.
func frequencies(c *db.Conn, kind memory.Kind, terms []lexical.Term) (map[string]int, error) {
	stems := make([]string, 0, len(terms)+2)
	stems = append(stems, records, lengths)
	for _, term := range terms {
		stems = append(stems, term.Stem)
	}
	list := db.JSONOf(stems)
	counts := make(map[string]int, len(stems))
	const read = `SELECT stem, records FROM json_each(:stems) w CROSS JOIN stems ON kind = :kind AND stem = w.value`
	err := c.Query(read, func(r *db.Row) error {
		counts[r.Text()] = r.Int()
		return nil
	}, db.Arg("kind", string(kind)), db.Arg("stems", list))
	return counts, err
}

// Having are the records of a kind that have a word, the latest recorded where they are more than most, by id; some
// says that they are not all.
func (a *Asked) Having(ctx context.Context, c *db.Conn, kind memory.Kind, word, most int) (ids []int64, some bool, err error) {
	count := a.counts[kind][a.Stems[word]]
	if count == 0 {
		return nil, false, nil
	}
	ids = make([]int64, 0, min(count, most))
	find := `SELECT rowid FROM ` + withMatch(kind) + ` ORDER BY rowid DESC LIMIT :most`
	err = c.Search(ctx, find, func(r *db.Row) error {
		ids = append(ids, r.Integer())
		return nil
	}, db.Arg("word", a.quoted(kind, word)), db.Arg("most", most))
	slices.Reverse(ids)
	return ids, count > most, err
}

// HavingToo are the records of a kind, from a number on, that beside a word that is looked for have one that is not, by id. The index
// knows without a row for each other record that has it.
func (a *Asked) HavingToo(ctx context.Context, c *db.Conn, kind memory.Kind, word int, from int64) (ids []int64, err error) {
	if a.counts[kind][a.Stems[word]] == 0 {
		return nil, nil
	}
	looked := make([]string, a.Looked)
	for i := range looked {
		looked[i] = a.quoted(kind, i)
	}
	find := `SELECT rowid FROM ` + withMatch(kind) + ` AND rowid >= :from ORDER BY rowid`
	err = c.Search(ctx, find, func(r *db.Row) error {
		ids = append(ids, r.Integer())
		return nil
	}, db.Arg("word", a.quoted(kind, word)+` AND (`+strings.Join(looked, ` OR `)+`)`), db.Arg("from", from))
	return ids, err
}

// mostTogether is how many stems an index is asked for together.
const mostTogether = 12

// HavingAll are the records of a kind that have the words of a text, the first dozen of these, by id, where they are fewer than so many; all is
// false where they are not, or the text has no words.
func HavingAll(ctx context.Context, c *db.Conn, kind memory.Kind, text string, most int) (ids []int64, all bool, err error) {
	stems := db.Distinct(strings.Fields(lexical.Stems(text)))
	if len(stems) == 0 {
		return nil, false, nil
	}
	stems = stems[:min(len(stems), mostTogether)]
	for i, stem := range stems {
		stems[i] = `"` + Entry(kind, stem) + `"`
	}
	err = c.Search(ctx, `SELECT rowid FROM `+withMatch(kind)+` ORDER BY rowid LIMIT :most`, func(r *db.Row) error {
		ids = append(ids, r.Integer())
		return nil
	}, db.Arg("word", strings.Join(stems, ` AND `)), db.Arg("most", most))
	return ids, len(ids) < most, err
}

// withMatch is the index of a kind with the condition that it matches.
func withMatch(kind memory.Kind) string {
	table := string(TableOf(kind))
	return table + ` WHERE ` + table + ` MATCH :word`
}

// quoted is a word as the index is asked for it.
func (a *Asked) quoted(kind memory.Kind, word int) string {
	return `"` + Entry(kind, a.Stems[word]) + `"` // a stem has no quotation mark (see lexical.Stems)
}

// Document is what a query needs of the bag of a record of a kind.
func (a *Asked) Document(bag string, kind memory.Kind) matching.Document {
	return a.Query.Document(bag, kind, a.averages[kind])
}
