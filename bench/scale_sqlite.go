package main

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"math"
	"path/filepath"
	"strings"

	"mneme/service"
	"mneme/store/lexical"
	"mneme/store/sqlite"
)

func scaledSQLite(ctx context.Context, dir string, _ bool) (*scaled, error) {
	backend, err := sqlite.Open(ctx, sqlite.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	return &scaled{
		title: "SQLite", backend: backend, server: []string{"MNEME_STORE=sqlite", "MNEME_DATA=" + dir},
		raw: func(ctx context.Context, tenant string) (rawQueries, error) { return openRawSQLite(ctx, dir, tenant) },
		stored: func(context.Context) (int64, error) {
			var bytes int64
			for _, suffix := range []string{"", "-wal"} {
				part, err := sizeOf(filepath.Join(dir, service.DefaultTenant+".db"+suffix))
				if err != nil && suffix == "" {
					return 0, err
				}
				bytes += part
			}
			return bytes, nil
		},
		stop: func(context.Context) error { return nil }, busy: busy,
	}, nil
}

// rawSQLite asks FTS5, by an index of its own of the same stems, and the functions of vectors.
type rawSQLite struct{ db *sql.DB }

func openRawSQLite(ctx context.Context, dir, tenant string) (rawQueries, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, tenant+".db")+"?mode=ro&_pragma=cache_size(-32768)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // which has the index
	r := &rawSQLite{db}
	if err := r.index(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return r, nil
}

// index makes the index of all episodes, of their texts by themselves so that FTS5 can weigh them.
func (r *rawSQLite) index(ctx context.Context) error {
	const create = `CREATE VIRTUAL TABLE temp.raw USING fts5 (title, observation, result, insight, content = '',
		tokenize = "ascii tokenchars '!#$%&''()*+,-./:;<=>?@[\]^_` + "`" + `{|}~'")`
	if _, err := r.db.ExecContext(ctx, create); err != nil {
		return err
	}
	for last := int64(0); ; {
		part, err := r.said(ctx, last)
		if err != nil || len(part) == 0 {
			return err
		}
		last, _ = part[len(part)-1][0].(int64)
		if err := r.add(ctx, part); err != nil {
			return err
		}
	}
}

// said are the ids and stems of the next thousand episodes.
func (r *rawSQLite) said(ctx context.Context, last int64) (part [][5]any, err error) {
	const read = `SELECT episode, title, observation, coalesce(result, ''), insight FROM contents WHERE episode > ? ORDER BY episode LIMIT 1000`
	rows, err := r.db.QueryContext(ctx, read, last)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var texts [4]string
		if err := rows.Scan(&id, &texts[0], &texts[1], &texts[2], &texts[3]); err != nil {
			return nil, err
		}
		said := [5]any{id}
		for i, text := range texts {
			said[1+i] = lexical.Stems(text)
		}
		part = append(part, said)
	}
	return part, rows.Err()
}

func (r *rawSQLite) add(ctx context.Context, part [][5]any) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, said := range part {
		if _, err := tx.ExecContext(ctx, `INSERT INTO temp.raw (rowid, title, observation, result, insight) VALUES (?, ?, ?, ?, ?)`, said[:]...); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}

func (r *rawSQLite) close(context.Context) error { return r.db.Close() }

// mostEntries is how many entries of the word index the store has a recall read.
const mostEntries = 10_000

// chosen chooses as the store does.
func (r *rawSQLite) chosen(ctx context.Context, situation string) (string, error) {
	terms, frequency := lexical.Considered(lexical.Terms(situation)), map[string]int{}
	for _, term := range terms {
		var records int
		err := r.db.QueryRowContext(ctx, `SELECT records FROM stems WHERE kind = 'episode' AND stem = ?`, term.Stem).Scan(&records)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return "", err
		}
		frequency[term.Stem] = records
	}
	entries := 0
	var words []string
	for i, term := range lexical.Distinctive(terms, frequency) {
		if entries += frequency[term.Stem]; i > 0 && entries > mostEntries {
			break
		}
		words = append(words, `"`+term.Stem+`"`)
	}
	return strings.Join(words, " OR "), nil
}

func (r *rawSQLite) byWords(ctx context.Context, words string) error {
	return r.ids(ctx, `SELECT rowid FROM temp.raw WHERE raw MATCH ? ORDER BY bm25(raw, 2, 4, 1, 1) LIMIT 5`, words)
}

func (r *rawSQLite) byMeaning(context.Context, string) (bool, error) { return false, nil }

func (r *rawSQLite) byVector(ctx context.Context, vector []float32, k int) error {
	blob := make([]byte, 0, 4*len(vector))
	for _, number := range vector {
		blob = binary.LittleEndian.AppendUint32(blob, math.Float32bits(number))
	}
	return r.ids(ctx, `SELECT episode FROM embeddings ORDER BY vec_distance_cosine(vector, ?) LIMIT ?`, blob, k)
}

func (r *rawSQLite) ids(ctx context.Context, query string, args ...any) error {
	rows, err := r.db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
	}
	return rows.Err()
}
