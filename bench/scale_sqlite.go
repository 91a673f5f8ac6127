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

// rawSQLite asks FTS5 and the functions of vectors.
type rawSQLite struct{ db *sql.DB }

func openRawSQLite(_ context.Context, dir, tenant string) (rawQueries, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, tenant+".db")+"?mode=ro&_pragma=cache_size(-32768)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return &rawSQLite{db}, nil
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
	return r.ids(ctx, `SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 5`, words)
}

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
