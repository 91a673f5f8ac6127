package sqlite

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store"
	"mneme/store/lexical"
)

// matchWords scores all episodes known at the query's instant that have one of the telling words, also
// those that do not pass the filter, because the best of them is the measure of all.
func matchWords(ctx context.Context, c *conn, terms []lexical.Term, query *store.RecallQuery) ([]*match, error) {
	telling, err := affordable(c, terms)
	if err != nil || len(telling) == 0 {
		return nil, err
	}
	passes := filtered(&query.Filter, query.AsOf)
	var known conditions
	known.addKnown(query.AsOf)
	// The weights are those of title, observation, result and insight.
	find := `SELECT words.rowid, -bm25(words, 2.0, 4.0, 1.0, 1.0), e.started_at, ` + passes.sql() + `
		FROM words CROSS JOIN episodes e ON e.id = words.rowid WHERE words MATCH :words AND ` + known.sql()
	var matches []*match
	err = c.search(ctx, find, func(r *row) error {
		matches = append(matches, &match{id: r.integer(), raw: r.float(), startedAt: r.time(), passes: r.bool()})
		return nil
	}, append(append(passes.args, known.args...), arg("words", anyOf(telling)))...)
	if err != nil || len(matches) == 0 {
		return nil, err
	}
	return matches, scoreWords(c, matches, terms)
}

// scoreWords turns the raw scores into those that a ranking takes.
func scoreWords(c *conn, matches []*match, terms []lexical.Term) error {
	best := slices.MaxFunc(matches, func(a, b *match) int {
		return cmp.Or(cmp.Compare(a.raw, b.raw), a.startedAt.Compare(b.startedAt), cmp.Compare(a.id, b.id))
	})
	share := 0.0
	const read = `SELECT title, observation, coalesce(result, ''), insight FROM contents WHERE episode = :id`
	if _, err := c.one(read, func(r *row) {
		share = lexical.Share(terms, r.text(), r.text(), r.text(), r.text())
	}, arg("id", best.id)); err != nil {
		return err
	}
	for _, m := range matches {
		m.lexical = memory.LexicalScore(m.raw, best.raw, share)
	}
	return nil
}

// mostEntries bounds the entries of the word index that a recall scores, at about 4 µs each. Only a
// single word may have more.
const mostEntries = 10_000

// affordable picks the words to search for: the most telling ones that occur, as many as a recall can
// afford.
func affordable(c *conn, terms []lexical.Term) ([]lexical.Term, error) {
	frequency, err := frequencies(c, memory.KindEpisode, terms)
	if err != nil {
		return nil, err
	}
	return withinBudget(lexical.Telling(terms, frequency), frequency), nil
}

// withinBudget keeps the first words whose entries are not too many together.
func withinBudget(telling []lexical.Term, frequency map[string]int) []lexical.Term {
	entries := 0
	for i, term := range telling {
		entries += frequency[term.Stem]
		if i > 0 && entries > mostEntries {
			return telling[:i]
		}
	}
	return telling
}

// frequencies says in how many records of a kind the stems occur.
func frequencies(c *conn, kind memory.Kind, terms []lexical.Term) (map[string]int, error) {
	frequency := make(map[string]int, len(terms))
	if len(terms) == 0 {
		return frequency, nil
	}
	stems := make([]string, len(terms))
	for i, term := range terms {
		stems[i] = term.Stem
	}
	list, err := jsonOf(stems)
	if err != nil {
		return nil, err
	}
	const read = `SELECT stem, records FROM json_each(:stems) w CROSS JOIN stems ON kind = :kind AND stem = w.value`
	err = c.query(read, func(r *row) error {
		frequency[r.text()] = r.int()
		return nil
	}, arg("kind", string(kind)), arg("stems", list))
	return frequency, err
}

// anyOf writes words in the index's query syntax. A stem has no quotation mark (see lexical.Stems).
func anyOf(terms []lexical.Term) string {
	var query strings.Builder
	for i, term := range terms {
		if i > 0 {
			query.WriteString(" OR ")
		}
		query.WriteString(`"` + term.Stem + `"`)
	}
	return query.String()
}
