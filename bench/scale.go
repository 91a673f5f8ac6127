package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"mneme/service"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/sqlite"
	"mneme/store/storetest"
)

// scalePlan is what a run over sizes does.
type scalePlan struct {
	sizes   []int
	rounds  int
	keep    string
	results string
}

func scaleFlags(args []string) (scalePlan, error) {
	var p scalePlan
	flags := flag.NewFlagSet("scale", flag.ExitOnError)
	sizes := flags.String("sizes", "20000,100000", "numbers of episodes, separated by commas")
	flags.IntVar(&p.rounds, "rounds", 40, "recalls of each kind; each takes turns with the store's own query")
	flags.StringVar(&p.keep, "keep", "", "a directory in which what is recorded stays for the next run; a temporary one where it is empty")
	flags.StringVar(&p.results, "results", "bench/SCALE.md", "the file to write")
	_ = flags.Parse(args) // ExitOnError
	for text := range strings.SplitSeq(*sizes, ",") {
		size, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || size < 1000 {
			return p, fmt.Errorf("%q is no number of episodes from 1000 on", text)
		}
		p.sizes = append(p.sizes, size)
	}
	return p, nil
}

// scale compares recalls with the store's own full-text query for the same words, over ever more episodes.
func scale(ctx context.Context, args []string) error {
	p, err := scaleFlags(args)
	if err != nil {
		return err
	}
	dir := p.keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "mneme-scale-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, `# Measured at scale

Recalls of the first five, one client, in one process with the store, among episodes of a dialogue's turn each (about
twenty words). Each took turns with the store's own full-text query for the same words, whose times stand in brackets:
FTS5's `+"`MATCH … ORDER BY rank LIMIT 5`"+`. Medians and 95th percentiles of %d.

    go run ./bench scale -sizes SIZES

%s
`, p.rounds, surroundings(ctx))
	for _, size := range p.sizes {
		rows, err := p.measure(ctx, filepath.Join(dir, strconv.Itoa(size)), size)
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "\n## SQLite, %d episodes\n\n%s", size, rows)
	}
	fmt.Print(text.String())
	return os.WriteFile(p.results, text.Bytes(), 0o644)
}

// measure records a crowd, unless it is there, and measures all kinds of recall among it.
func (p scalePlan) measure(ctx context.Context, dir string, size int) (rows string, err error) {
	crowd := storetest.Crowd{Size: size}
	backend, err := sqlite.Open(ctx, sqlite.Options{Dir: dir})
	if err != nil {
		return "", err
	}
	clock := service.WithClock(func() time.Time { return storetest.CrowdNow })
	svc := service.New(backend, clock, service.WithLogger(slog.New(slog.DiscardHandler)))
	defer func() {
		err = errors.Join(err, svc.Close(context.WithoutCancel(ctx)), backend.Close(context.WithoutCancel(ctx)))
	}()
	if err := recorded(ctx, backend, crowd); err != nil {
		return "", err
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "default.db")+"?mode=ro&_pragma=cache_size(-32768)")
	if err != nil {
		return "", err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	var text strings.Builder
	text.WriteString("| recall | words | p50 | p95 | of the raw p50 | of the raw p95 | approximate |\n|---|---|---|---|---|---|---|\n")
	for _, kind := range scaleKinds {
		for _, words := range []int{8, 30, 300} {
			row, err := p.compare(ctx, svc, db, kind, crowd, words)
			if err != nil {
				return "", err
			}
			text.WriteString(row)
			progress("%d: %s", size, strings.TrimSpace(row))
		}
	}
	return text.String(), nil
}

// recorded makes sure that a crowd is there.
func recorded(ctx context.Context, backend *sqlite.Backend, crowd storetest.Crowd) error {
	tenant, err := backend.Tenant(ctx, "default")
	if err != nil {
		return err
	}
	last, err := tenant.Episodes(ctx, store.EpisodesByKey{Keys: []string{crowd.Key(crowd.Size - 1)}})
	if err != nil || last[0] != nil {
		return err
	}
	began := time.Now()
	return crowd.Record(ctx, tenant, func(done int) {
		if done%10_000 == 0 {
			progress("recorded %d of %d after %s", done, crowd.Size, time.Since(began).Round(time.Second))
		}
	})
}

// scaleKind is a kind of recalls.
type scaleKind struct {
	name string
	of   func(*service.RecallInput)
}

// scaleKinds are the recalls that are measured.
var scaleKinds = []scaleKind{
	{"plain", func(*service.RecallInput) {}},
	{"a filter that 1 % pass", func(r *service.RecallInput) { r.AgentID = to("agent 7") }},
	{"a filter that 0.01 % pass", func(r *service.RecallInput) { r.TaskType = to("task 77") }},
	{"as of four months ago", func(r *service.RecallInput) { r.AsOf = to(storetest.CrowdNow.AddDate(0, -4, 0)) }},
}

// compare recalls in turns with the store's own query, and writes a row of what that took.
func (p scalePlan) compare(
	ctx context.Context, svc *service.Service, db *sql.DB, kind scaleKind, crowd storetest.Crowd, words int,
) (string, error) {
	var ours, raw []time.Duration
	approximate := 0
	for i := range p.rounds + 3 { // three to warm up
		situation, _ := crowd.Situation(i, words)
		input := service.RecallInput{Situation: situation}
		kind.of(&input)
		match, err := chosen(ctx, db, situation)
		if err != nil {
			return "", err
		}
		bare, err := timed(func() error {
			var ids []int64
			return queryAll(ctx, db, &ids, `SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 5`, match)
		})
		if err != nil {
			return "", err
		}
		took, err := timed(func() error {
			found, err := svc.Recall(ctx, input, service.Include{})
			if err == nil && found.Approximate {
				approximate++
			}
			return err
		})
		if err != nil {
			return "", err
		}
		if i >= 3 {
			ours, raw = append(ours, took), append(raw, bare)
		}
	}
	slices.Sort(ours)
	slices.Sort(raw)
	half, most := p.rounds/2, p.rounds*95/100
	return fmt.Sprintf("| %s | %d | %.1f (%.1f) ms | %.1f (%.1f) ms | %.2f | %.2f | %d %% |\n", kind.name, words,
		milliseconds(ours[half]), milliseconds(raw[half]), milliseconds(ours[most]), milliseconds(raw[most]),
		float64(ours[half])/float64(raw[half]), float64(ours[most])/float64(raw[most]), 100*approximate/(p.rounds+3)), nil
}

func timed(do func() error) (time.Duration, error) {
	began := time.Now()
	err := do()
	return time.Since(began), err
}

// mostEntries is how many entries of the word index the store has a recall read.
const mostEntries = 10_000

// chosen are the words that the store chooses, in FTS5's syntax.
func chosen(ctx context.Context, db *sql.DB, situation string) (string, error) {
	terms, frequency := lexical.Terms(situation), map[string]int{}
	for _, term := range terms {
		var records int
		err := db.QueryRowContext(ctx, `SELECT records FROM stems WHERE kind = 'episode' AND stem = ?`, term.Stem).Scan(&records)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return "", err
		}
		frequency[term.Stem] = records
	}
	entries := 0
	var words []string
	for i, term := range lexical.Telling(terms, frequency) {
		if entries += frequency[term.Stem]; i > 0 && entries > mostEntries {
			break
		}
		words = append(words, `"`+term.Stem+`"`)
	}
	return strings.Join(words, " OR "), nil
}

func queryAll(ctx context.Context, db *sql.DB, ids *[]int64, query string, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		*ids = append(*ids, id)
	}
	return rows.Err()
}
