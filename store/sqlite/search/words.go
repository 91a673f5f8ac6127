// Package search finds the passages of a tenant, and what is asked of the records that they are from.
package search

import (
	"cmp"
	"context"
	"database/sql/driver"
	"math"
	"slices"
	"strings"

	"mneme/memory"
	split "mneme/memory/passages"
	"mneme/memory/retrieval"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/passages"
	"mneme/store/vectors"
)

// What is read of a passage p, of the node n.
const (
	columns = `p.id, p.node, n.kind, n.key, p.number, p.part, p.position, p.step, p.at, p.text, p.code, v.vector, p.embedding,
		(SELECT s.key FROM observations x CROSS JOIN nodes s ON s.id = x.session WHERE x.id = p.node)`
	tables = ` CROSS JOIN nodes n ON n.id = p.node LEFT JOIN embeddings v ON v.episode = p.node AND p.number = 0`
)

func readPassage(r *db.Row) (p store.FoundPassage) {
	p.ID, p.Record, p.Kind = r.Integer(), r.Integer(), memory.Kind(r.Text())
	p.Key = r.Key(p.Kind)
	p.Number, p.Part, p.Position, p.Step, p.At, p.Text = r.Int(), memory.Part(r.Text()), r.Int(), r.Text(), r.Time(), r.Text()
	p.Words, p.BuiltIn = lexical.Hashes(lexical.Stems(p.Text)), unit(r.Blob())
	for _, embedding := range [][]float32{graph.DecodeVector(r.Blob()), vectors.Vector(r.Blob())} {
		if embedding != nil {
			p.Embeddings = append(p.Embeddings, embedding)
		}
	}
	p.Session = r.Text()
	return p
}

// unit is the vector that a code is, nil where it is none.
func unit(code []byte) []float32 {
	if len(code) != meaning.Dimensions {
		return nil
	}
	return vectors.Unit(code)
}

// scored is a passage with the score that it was found by, the least first.
type scored struct {
	store.FoundPassage
	score float64
}

// best are the first of what was found among several kinds, and whether there are more.
func best(found []scored, limit int) ([]store.FoundPassage, bool) {
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(a.score, b.score) })
	first := make([]store.FoundPassage, min(len(found), limit))
	for i := range first {
		first[i] = found[i].FoundPassage
	}
	return first, len(found) > limit
}

// PassagesByWords asks the index of words; see store.Passages.
func (f Finder) PassagesByWords(ctx context.Context, stems []string, asked store.Among) (first []store.FoundPassage, more bool, err error) {
	err = f.read(ctx, func(ctx context.Context, c *db.Conn) error {
		all, err := amongKinds(c, &asked)
		if err != nil || len(stems) == 0 {
			return err
		}
		var found []scored
		for i := range all {
			some, err := all[i].byWords(ctx, c, stems, asked.Limit+1)
			if err != nil {
				return err
			}
			found = append(found, some...)
		}
		first, more = best(found, asked.Limit)
		return rank(ctx, c, first, &asked)
	})
	return first, more, err
}

// widerBy is how many times as many of the best are looked at first where there are conditions: mostly enough pass.
const widerBy = 8

// byWords finds the best that pass the conditions. These are asked of the best in turn until enough have passed, and of
// all only where too few do: to read the record of each passage that has a word costs more than to find them.
func (a *among) byWords(ctx context.Context, c *db.Conn, stems []string, most int) (found []scored, err error) {
	first, last := passages.Range(a.kind)
	args := append(slices.Clone(a.Args), db.Arg("query", a.query(stems)), db.Arg("first", first), db.Arg("last", last), db.Arg("most", most))
	matches := `SELECT w.rowid AS id, bm25(passage_words, 0.0, 1.0) AS score FROM passage_words w
		WHERE passage_words MATCH :query AND w.rowid BETWEEN :first AND :last ORDER BY score LIMIT `
	if a.join == `` {
		return readScored(ctx, c, matches+`:most`, args)
	}
	for _, look := range []int{widerBy * most, math.MaxInt64} {
		passing := `SELECT w.id, w.score FROM (` + matches + `:look) w CROSS JOIN passages p ON p.id = w.id` + a.join + ` WHERE ` + a.SQL() + ` LIMIT :most`
		if found, err = readScored(ctx, c, passing, append(args, db.Arg("look", look))); err != nil || len(found) == most {
			break
		}
	}
	return found, err
}

// readScored reads the passages that a query gives the ids and scores of.
func readScored(ctx context.Context, c *db.Conn, query string, args []driver.NamedValue) ([]scored, error) {
	find := `SELECT b.score, ` + columns + ` FROM (` + query + `) b CROSS JOIN passages p ON p.id = b.id` + tables + ` ORDER BY b.score, p.id DESC`
	return db.AllWithin(ctx, c, find, func(r *db.Row) scored {
		score := r.Float()
		return scored{readPassage(r), score}
	}, args...)
}

// query asks the index for any of the stems, of records with all of the marks.
func (a *among) query(stems []string) string {
	query := `stems : (` + quoted(stems, ` OR `) + `)`
	or := passages.Marked(a.limits.Or)
	for _, mark := range passages.Marked(a.limits.Marks) {
		either := append(slices.DeleteFunc(slices.Clone(or), func(o string) bool { return o[0] != mark[0] }), mark)
		query = `marks : (` + quoted(either, ` OR `) + `) AND ` + query
	}
	return query
}

func quoted(words []string, between string) string {
	return `"` + strings.Join(words, `"`+between+`"`) + `"`
}

// Rarities counts in memory, of a kind of which all are not there yet at least one; see store.Passages.
func (f Finder) Rarities(ctx context.Context, stems []string) ([]float64, error) {
	with, there := make([]int, len(stems)), 0
	err := f.read(ctx, func(ctx context.Context, c *db.Conn) error {
		for _, kind := range split.Kinds {
			in := memoryOf(c, builtIn(kind))
			_, whole, err := in.load(ctx, c)
			if err != nil {
				return err
			}
			for i, stem := range stems {
				if with[i] += in.vectors.With(lexical.Hash(stem)); !whole {
					with[i] = max(with[i], 1)
				}
			}
			there += in.vectors.Len()
		}
		return nil
	})
	return memory.Mapped(with, func(n int) float64 { return retrieval.Rarity(n, there) }), err
}

// Finder finds the passages of a tenant, each time in one state of the file that Snapshot reads.
type Finder struct {
	Snapshot func(context.Context, func(*db.Conn) error) error
}

var _ store.Passages = Finder{}

// read is for what has bounds of its own.
func (f Finder) read(ctx context.Context, do func(context.Context, *db.Conn) error) error {
	ctx = store.Unmetered(ctx)
	return f.Snapshot(ctx, func(c *db.Conn) error { return do(ctx, c) })
}
