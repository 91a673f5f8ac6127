package words

import (
	"math"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store/lexical"
	"mneme/store/sqlite/db"
)

// WithinBudget keeps the first words whose entries are not too many together. A single word may have more.
func WithinBudget(telling []lexical.Term, frequency map[string]int, most int) []lexical.Term {
	entries := 0
	for i, term := range telling {
		entries += frequency[term.Stem]
		if i > 0 && entries > most {
			return telling[:i]
		}
	}
	return telling
}

// Frequencies says in how many records of a kind the stems occur.
func Frequencies(c *db.Conn, kind memory.Kind, terms []lexical.Term) (map[string]int, error) {
	frequency := make(map[string]int, len(terms))
	if len(terms) == 0 {
		return frequency, nil
	}
	stems := make([]string, len(terms))
	for i, term := range terms {
		stems[i] = term.Stem
	}
	list, err := db.JSONOf(stems)
	if err != nil {
		return nil, err
	}
	const read = `SELECT stem, records FROM json_each(:stems) w CROSS JOIN stems ON kind = :kind AND stem = w.value`
	err = c.Query(read, func(r *db.Row) error {
		frequency[r.Text()] = r.Int()
		return nil
	}, db.Arg("kind", string(kind)), db.Arg("stems", list))
	return frequency, err
}

// AnyOf writes words in the index's query syntax. A stem has no quotation mark (see lexical.Stems).
func AnyOf(terms []lexical.Term) string {
	var query strings.Builder
	for i, term := range terms {
		if i > 0 {
			query.WriteString(" OR ")
		}
		query.WriteString(`"` + term.Stem + `"`)
	}
	return query.String()
}

// Searchable are the distinct kinds that have texts, in one order, so that the sums of a search do not
// depend on the order in which kinds are asked.
func Searchable(kinds []memory.Kind) []memory.Kind {
	var distinct []memory.Kind
	for _, kind := range memory.Kinds {
		if _, known := texts[kind]; known && slices.Contains(kinds, kind) {
			distinct = append(distinct, kind)
		}
	}
	return distinct
}

// Sizes is how many records of each kind are indexed.
func Sizes(c *db.Conn) (map[memory.Kind]int, error) {
	sizes := make(map[memory.Kind]int, len(texts))
	for kind := range texts {
		const read = `SELECT records FROM stems WHERE kind = :kind AND stem = ''`
		if _, err := c.One(read, func(r *db.Row) { sizes[kind] = r.Int() }, db.Arg("kind", string(kind))); err != nil {
			return nil, err
		}
	}
	return sizes, nil
}

// RowsBeside is how many rows the index of a kind has, those of other kinds included.
func RowsBeside(kind memory.Kind, sizes map[memory.Kind]int) (rows int) {
	for other, size := range sizes {
		if TableOf(other) == TableOf(kind) {
			rows += size
		}
	}
	return rows
}

// Rarity is the factor that FTS5's bm25() gives a word that n of all rows have: the inverse document
// frequency of Robertson and Spärck Jones, and a millionth where that is not above 0
// (https://sqlite.org/fts5.html#the_bm25_function).
func Rarity(n, all int) float64 {
	if idf := math.Log((float64(all-n) + 0.5) / (float64(n) + 0.5)); idf > 0 {
		return idf
	}
	return 1e-6
}
