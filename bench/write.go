package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"mneme/internal/importer"
	"mneme/service"
	"mneme/store"
)

// writePlan is what a run of writes does.
type writePlan struct {
	store                         string
	turns, works, rounds, writers int
	batch, pairs                  int
	only, profile                 string
	results                       string
}

func writeFlags(args []string) (writePlan, error) {
	var p writePlan
	flags := flag.NewFlagSet("write", flag.ExitOnError)
	flags.StringVar(&p.store, "store", "sqlite", "sqlite or neo4j")
	flags.IntVar(&p.turns, "turns", 4000, "episodes of a dialogue's turn each")
	flags.IntVar(&p.works, "works", 1000, "episodes with 3 canvases of 2 actions and 2 feedback each")
	flags.IntVar(&p.rounds, "rounds", 3, "rounds; the writers take turns in each")
	flags.IntVar(&p.writers, "writers", 8, "writers at a time, where each writes single records")
	flags.IntVar(&p.batch, "batch", 1000, "episodes that are written together")
	flags.IntVar(&p.pairs, "pairs", 9, "pairs of runs with and without vectors of what is said")
	flags.StringVar(&p.only, "only", "", "measure what has this in its name, and nothing else; writes no file")
	flags.StringVar(&p.profile, "profile", "", "a file for the processor profile of what mneme does")
	flags.StringVar(&p.results, "results", "bench/WRITES.md", "the file to write; the part of the other store stays")
	_ = flags.Parse(args) // ExitOnError
	if p.store != "sqlite" && p.store != "neo4j" {
		return p, fmt.Errorf("there is no store %q; there is: sqlite, neo4j", p.store)
	}
	return p, nil
}

// write compares what mneme writes in a second with bare inserts of what it wrote.
func write(ctx context.Context, args []string) error {
	p, err := writeFlags(args)
	if err != nil {
		return err
	}
	ground, err := p.ground(ctx)
	if err != nil {
		return err
	}
	defer ground.close()
	if p.profile != "" {
		file, err := os.Create(p.profile)
		if err != nil {
			return err
		}
		defer file.Close()
		if err := pprof.StartCPUProfile(file); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	var text bytes.Buffer
	for _, s := range []sample{turnsOf(p.turns), worksOf(p.works)} {
		rows, err := p.measure(ctx, ground, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Fprintf(&text, "### %d %s\n\n%s\n", len(s.pieces), s.name, rows)
	}
	if strings.Contains("meaning", p.only) {
		rows, err := p.measureMeaning(ctx, ground)
		if err != nil {
			return fmt.Errorf("meaning: %w", err)
		}
		fmt.Fprintf(&text, "### %d observations, with vectors of what they mean and without\n\nMedians of %d pairs of runs. Bare is the same ratio of bare transactions that insert what these ended with.\n\n%s\n", p.turns, p.pairs, rows)
	}
	fmt.Print(text.String())
	if p.only != "" {
		return nil
	}
	return p.save(ctx, ground.describe(), text.String())
}

// target is where places to write into are made.
type target interface {
	// fresh is a tenant in which nothing is, and of whose records vectors are made or not.
	fresh(ctx context.Context, withoutVectors bool) (*place, error)
	// copyOf reads all that was written into a place.
	copyOf(ctx context.Context, of *place) (bareCopy, error)
	describe() string
	close()
}

// bareCopy is the rows, or nodes and links, that mneme ended with.
type bareCopy interface {
	// write writes them into a fresh place in so many transactions, of which so many run at a time, and says how
	// long that took, and of the processor's time.
	write(ctx context.Context, transactions, writers int) (took, spent time.Duration, err error)
}

// place is a tenant that is written into.
type place struct {
	backend store.Backend
	tenant  string
	remove  func() error
}

func (p *place) with(ctx context.Context, do func(ctx context.Context, tenant *service.Tenant, t store.Store) error) (err error) {
	defer func() { err = errors.Join(err, p.remove()) }()
	svc := service.New(p.backend, service.WithLogger(slog.New(slog.DiscardHandler)))
	defer func() { err = errors.Join(err, svc.Close(context.WithoutCancel(ctx))) }()
	t, err := p.backend.Tenant(ctx, p.tenant)
	if err != nil {
		return err
	}
	if _, err := t.InputKey(ctx); err != nil { // makes the file, or the tenant's node
		return err
	}
	tenant, err := svc.Tenant(service.WithTenant(ctx, p.tenant))
	if err != nil {
		return err
	}
	return do(ctx, tenant, t)
}

// way is a way to write a sample, which is compared with bare transactions.
type way struct {
	name         string
	wanted       float64
	transactions func(p writePlan, s sample) int
	writers      func(p writePlan) int
	write        func(ctx context.Context, p writePlan, tenant *service.Tenant, t store.Store, s sample) error
}

// What of the bare inserts is wanted of batches, and of single writes.
const (
	batchWanted  = 0.4
	singleWanted = 0.5
)

func batches(p writePlan, s sample) int {
	calls := 0
	for pieces := range slices.Chunk(s.pieces, p.batch) {
		calls += callsOf(pieces)
	}
	return calls
}

func singles(_ writePlan, s sample) int { return len(s.pieces) * s.transactions }

func alone(writePlan) int { return 1 }

func many(p writePlan) int { return p.writers }

var ways = []way{
	{"batches, at the store", batchWanted, batches, alone, writeBatches},
	{"import of JSONL", batchWanted, batches, alone, writeImport},
	{"single writes, at the store", singleWanted, singles, many, writeSingles},
	{"single writes, through the service", singleWanted, singles, many, writeThroughService},
}

// writeBatches writes as the API's batches do, one after the other.
func writeBatches(ctx context.Context, p writePlan, _ *service.Tenant, t store.Store, s sample) error {
	for pieces := range slices.Chunk(s.pieces, p.batch) {
		if err := recordTogether(ctx, t, pieces); err != nil {
			return err
		}
	}
	return nil
}

func writeImport(ctx context.Context, _ writePlan, tenant *service.Tenant, _ store.Store, s sample) error {
	report, err := importer.Import(ctx, tenant, bytes.NewReader(s.lines), importer.Options{Format: importer.JSONL})
	if err == nil && report.Records() != s.records {
		err = fmt.Errorf("imported %d of %d records", report.Records(), s.records)
	}
	return err
}

// eachOf has writers take the pieces of a sample, each the next one.
func eachOf(ctx context.Context, writers int, s sample, do func(ctx context.Context, p *piece) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(writers)
	for i := range s.pieces {
		group.Go(func() error { return do(ctx, &s.pieces[i]) })
	}
	return group.Wait()
}

func writeSingles(ctx context.Context, p writePlan, _ *service.Tenant, t store.Store, s sample) error {
	return eachOf(ctx, p.writers, s, func(ctx context.Context, one *piece) error { return recordOne(ctx, t, one) })
}

func writeThroughService(ctx context.Context, p writePlan, tenant *service.Tenant, _ store.Store, s sample) error {
	return eachOf(ctx, p.writers, s, func(ctx context.Context, one *piece) error { return submitOne(ctx, tenant, one) })
}

// pace is how many episodes a second were written, by mneme and bare, and how much more of the processor's time in
// this process bare took of mneme's.
type pace struct{ ours, bare, spent float64 }

func (p writePlan) measure(ctx context.Context, g target, s sample) (string, error) {
	bare, err := p.filled(ctx, g, s)
	if err != nil {
		return "", err
	}
	paces := make([][]pace, len(ways))
	for round := range p.rounds {
		for i, w := range ways {
			if !strings.Contains(s.name+", "+w.name, p.only) {
				continue
			}
			one, err := p.compare(ctx, g, s, w, bare)
			if err != nil {
				return "", fmt.Errorf("%s: %w", w.name, err)
			}
			progress("%s, %s, round %d of %d: %.0f episodes/s, bare %.0f, ratio %.2f, by processor %.2f",
				s.name, w.name, round+1, p.rounds, one.ours, one.bare, one.ours/one.bare, one.spent)
			paces[i] = append(paces[i], one)
		}
	}
	var text strings.Builder
	text.WriteString("| written as | episodes/s | bare | ratio | lowest–highest | by processor | wanted |\n|---|---|---|---|---|---|---|\n")
	for i, w := range ways {
		if len(paces[i]) > 0 {
			text.WriteString(paceRow(w.name, paces[i], w.wanted))
		}
	}
	return text.String(), nil
}

func paceRow(name string, paces []pace, wanted float64) string {
	of := func(value func(pace) float64) []float64 {
		values := make([]float64, len(paces))
		for i, one := range paces {
			values[i] = value(one)
		}
		slices.Sort(values)
		return values
	}
	middle := len(paces) / 2
	ratios := of(func(one pace) float64 { return one.ours / one.bare })
	return fmt.Sprintf("| %s | %.0f | %.0f | %.2f | %.2f–%.2f | %.2f | %.1f |\n", name, of(func(one pace) float64 { return one.ours })[middle],
		of(func(one pace) float64 { return one.bare })[middle], ratios[middle], ratios[0], ratios[len(ratios)-1], of(func(one pace) float64 { return one.spent })[middle], wanted)
}

// filled writes a sample, which also warms the store up, and reads what that made.
func (p writePlan) filled(ctx context.Context, g target, s sample) (bare bareCopy, err error) {
	at, err := g.fresh(ctx, false)
	if err != nil {
		return nil, err
	}
	err = at.with(ctx, func(ctx context.Context, tenant *service.Tenant, t store.Store) error {
		if err := writeBatches(ctx, p, tenant, t, s); err != nil {
			return err
		}
		bare, err = g.copyOf(ctx, at)
		return err
	})
	return bare, err
}

func (p writePlan) compare(ctx context.Context, g target, s sample, w way, bare bareCopy) (one pace, err error) {
	at, err := g.fresh(ctx, false)
	if err != nil {
		return one, err
	}
	var took, spent time.Duration
	err = at.with(ctx, func(ctx context.Context, tenant *service.Tenant, t store.Store) (err error) {
		took, spent, err = timedAndSpent(func() error { return w.write(ctx, p, tenant, t, s) })
		return err
	})
	if err != nil {
		return one, err
	}
	bareTook, bareSpent, err := bare.write(ctx, w.transactions(p, s), w.writers(p))
	episodes := float64(len(s.pieces))
	return pace{
		ours: episodes / took.Seconds(), bare: episodes / bareTook.Seconds(), spent: bareSpent.Seconds() / spent.Seconds(),
	}, err
}

// timedAndSpent says how long something took, and of the processor's time.
func timedAndSpent(do func() error) (took, spent time.Duration, err error) {
	began, before := time.Now(), spentTime()
	err = do()
	return time.Since(began), spentTime() - before, err
}

const writesHead = `# Writes, measured

Episodes a second. mneme took turns with bare transactions that insert what it had ended with: the same rows, or the
same nodes with their properties and links, into the same schema with all its indexes, as many transactions, as many at
a time, by prepared statements. Bare inserts check, hash and decide nothing, know every key and count, and read nothing.
Medians of the rounds; all share one machine, so the ratios are worth more than the figures. "By processor" is the ratio
of the processor's time in the process that writes, which a busy machine moves less: all of the work on SQLite, the
client's share on Neo4j.

    make bench-write STORE=sqlite
    make bench-write STORE=neo4j
`

var titles = map[string]string{"sqlite": "SQLite", "neo4j": "Neo4j"}

// save writes the part of a store, and leaves that of the other as it is.
func (p writePlan) save(ctx context.Context, described, rows string) error {
	return keepSection(p.results, writesHead, titles[p.store], fmt.Sprintf("%s %s Batches of %d, %d single writers, %d rounds.\n\n%s",
		described, surroundings(ctx), p.batch, p.writers, p.rounds, rows))
}

func (p writePlan) ground(ctx context.Context) (target, error) {
	if p.store == "neo4j" {
		return onNeo4jGround(ctx)
	}
	return onSQLiteGround()
}
