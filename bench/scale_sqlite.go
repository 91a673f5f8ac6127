package main

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"

	"mneme/service"
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
		stop: func(context.Context) error { return nil }, busy: busy, maxOfRaw: 1.5,
	}, nil
}

// rawSQLite asks the store's own index.
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

func (r *rawSQLite) byWords(ctx context.Context, stems []string) error {
	const ask = `SELECT rowid, rank FROM passage_words WHERE passage_words MATCH ? ORDER BY rank LIMIT 100`
	rows, err := r.db.QueryContext(ctx, ask, `stems : ("`+strings.Join(stems, `" OR "`)+`")`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var rank float64
		if err := rows.Scan(&id, &rank); err != nil {
			return err
		}
	}
	return rows.Err()
}
